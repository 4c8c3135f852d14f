import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileDocument } from './documents.ts';
import { expectRefusal, saveProfile } from './steps.ts';

const email = 'ada@example.com';

describe('Patches in the meta of a profile', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const patch = async (patch_properties: object) =>
    (await saveProfile(client, { email, beside: { meta: { patch_properties } } })).attributes.properties;

  const CASES: [does: string, before: object, patch: object, after: object][] = [
    ['appends a value to a list', { l: [1] }, { append: { l: 2 } }, { l: [1, 2] }],
    ['appends a list of values', { l: [1] }, { append: { l: [2, 3] } }, { l: [1, 2, 3] }],
    ['appends no value twice', { l: [1, { a: 2 }] }, { append: { l: [1, { a: 2 }, 3, 3] } }, { l: [1, { a: 2 }, 3] }],
    ['begins a list with the first value', {}, { append: { l: 'a' } }, { l: ['a'] }],
    ['makes a list of a single value', { l: 'a' }, { append: { l: 'b' } }, { l: ['a', 'b'] }],
    ['takes values from a list', { l: [1, 2, 3, 2] }, { unappend: { l: [2, 9] } }, { l: [1, 3] }],
    ['leaves an empty list', { l: [1] }, { unappend: { l: 1 } }, { l: [] }],
    ['takes from a list that is not there', {}, { unappend: { l: 1 } }, {}],
    ['removes a property', { a: 1, b: 2 }, { unset: 'a' }, { b: 2 }],
    ['removes several properties', { a: 1, b: 2, c: 3 }, { unset: ['a', 'c', 'd'] }, { b: 2 }],
    ['appends, then takes, then removes', { a: [1] }, { append: { a: 2 }, unappend: { a: 1 }, unset: 'b' }, { a: [2] }],
    [
      'appends to a property called as a method is',
      {},
      { append: { valueOf: 1, toString: 2 } },
      { valueOf: [1], toString: [2] },
    ],
    ['accepts empty operations', { a: 1 }, { append: {}, unappend: [], unset: null }, { a: 1 }],
  ];
  for (const [does, before, change, after] of CASES) {
    it(does, async () => {
      await saveProfile(client, { email, properties: before });
      expect(await patch(change)).to.deep.equal(after);
    });
  }

  it('apply after the properties of the same request', async () => {
    const meta = { patch_properties: { append: { l: 2 }, unset: 'gone' } };
    const { attributes } = await saveProfile(client, { email, properties: { l: [1], gone: 1 }, meta });
    expect(attributes.properties).to.deep.equal({ l: [1, 2] });
  });

  it('are refused if a list would exceed 4,000 values, or a profile 400 properties', async () => {
    const values = (start: number, count: number) => Array.from({ length: count }, (_, i) => start + i);
    const send = (patch_properties: object) =>
      client.post('/compat/v1/profiles', profileDocument({ email, meta: { patch_properties } }));
    await patch({ append: { l: values(0, 4000) } });
    expectRefusal(await send({ append: { l: 4000 } }), '/data/attributes/properties/l');
    const many = Object.fromEntries(values(0, 399).map((i) => [`p${i}`, i]));
    await patch({ append: many });
    expectRefusal(await send({ append: { one: 'too many' } }), '/data/attributes/properties');
  });

  it('add and remove e-mail addresses by which the profile is found', async () => {
    const change = (patch_identifiers: object) =>
      saveProfile(client, { email, beside: { meta: { patch_identifiers } } });
    const { id } = await change({ append: { email: ['Ada@Work.example.com', 'ada@home.example.com'] } });
    const found = await saveProfile(client, { email: 'ada@work.example.com' });
    expect(found.id).to.equal(id);
    await saveProfile(client, { email });
    await change({ unappend: { email: 'ada@home.example.com' } });
    expect((await saveProfile(client, { email: 'ada@home.example.com' })).id).not.to.equal(id);
  });

  it('keep the e-mail address that the profile shows', async () => {
    const { id } = await saveProfile(client, { email });
    const meta = { patch_identifiers: { unappend: { email } } };
    expect((await saveProfile(client, { email, meta })).id).to.equal(id);
    expect((await saveProfile(client, { email })).attributes.email).to.equal(email);
  });

  it('are refused if an added e-mail address is not valid or another profile owns it', async () => {
    await saveProfile(client, { email: 'grace@example.com' });
    const send = (address: string) => {
      const beside = { meta: { patch_identifiers: { append: { email: address } } } };
      return client.post('/compat/v1/profiles', profileDocument({ email, beside }));
    };
    expectRefusal(await send('grace@example.com'), '/data/attributes/email');
    expectRefusal(await send('not-an-email'), '/data/meta/patch_identifiers/append/email');
  });
});
