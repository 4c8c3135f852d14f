import { expect } from 'chai';
import { profileDocument, profileJobDocument } from '../compat/documents.ts';
import { errorsOf, expectRefusal, runJob } from '../compat/steps.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const email = 'ada@example.com';

/** So many values that no list has yet. */
const values = (count: number) => Array.from({ length: count }, (_, i) => i);
const appending = (list: unknown) => ({ meta: { patch_properties: { append: { list } } } });

describe('bulk jobs of one store, beside another store', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  it('with 10,000 items of one profile, each refused, end soon', async () => {
    await client.post('/compat/v1/profiles', profileDocument({ email, ...appending(values(4_000)) }), { expect: 201 });
    const items = Array.from({ length: 10_000 }, (_, i) => ({ email, ...appending(`more ${i}`) }));
    const job = await runJob(client, profileJobDocument(items));
    expect(job.attributes).to.include({ completed_count: 0, failed_count: 10_000 });
    const [error] = await errorsOf(client, job);
    expect(error.attributes.detail).to.contain('more than 4000 values');
  });

  it('with 10,000 items of one profile, each of which changes it, end soon', async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => ({
      email,
      properties: { last: i },
      meta: { patch_properties: { append: { list: i % 4_000 }, unappend: { list: (i + 1) % 4_000 } } },
    }));
    const job = await runJob(client, profileJobDocument(items));
    expect(job.attributes).to.include({ completed_count: 10_000, failed_count: 0 });
  });
});

describe('a profile that is full', () => {
  let service: TestService;
  let client: Client;
  const identifiers = { email };
  const text = 'x'.repeat(99_000);
  const texts = (count: number) => Object.fromEntries(values(count).map((i) => [`text${i}`, text]));

  before(async () => {
    service = await TestService.start();
    client = await service.client();
    await client.post('/v1/profiles/upsert', { identifiers, attributes: texts(50) }, { expect: 201 });
  });
  after(() => service.stop());

  it('takes no more, and the refusal names the field', async () => {
    const more = { more: text, most: text, last: text };
    const refused = await client.post('/v1/profiles/upsert', { identifiers, attributes: more }, { expect: 400 });
    expect(refused.body.error).to.include({
      code: 'validation_error',
      message: 'attributes would come to have more than 5 MB',
      field: 'attributes',
    });
    const there = await client.post('/compat/v1/profiles', profileDocument({ email, properties: more }));
    expectRefusal(there, '/data/attributes/properties');
  });

  it('counts numbers as they are stored', async () => {
    const numbers = Array.from({ length: 2_000 }, () => 1e300);
    await client.post('/v1/profiles/upsert', { identifiers, attributes: { numbers } }, { expect: 400 });
  });

  it('may become smaller, and then takes something else', async () => {
    const attributes = { text0: null, text1: null, text2: null, more: text, most: text, last: text };
    await client.post('/v1/profiles/upsert', { identifiers, attributes }, { expect: 200 });
  });
});
