import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
let client: Client;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await service.client();
});
after(() => service.stop());

const suppress = async (addresses: string[], fields: object = {}) =>
  (await client.post<any>('/v1/suppressed-addresses', { addresses, ...fields }, { expect: 200 })).body;
const list = async (query = '', by = client) =>
  (await by.get<any>(`/v1/suppressed-addresses${query}`, { expect: 200 })).body.addresses;
const release = (id: string, by = client) => by.send<any>('DELETE', `/v1/suppressed-addresses/${id}`, undefined);

/** Sends a customer a transactional message, and returns what becomes of it. */
async function fateOf(email: string): Promise<[status: string, reason: string | null]> {
  await client.post('/v1/profiles/upsert', { identifiers: { email } });
  const draft = { name: 'Receipt', kind: 'html', class: 'transactional', subject: 'Receipt', body: '<p>Thank you</p>' };
  const { id } = (await client.post<any>('/v1/templates', draft, { expect: 201 })).body;
  await client.post(`/v1/templates/${id}/publish`, { revision: 1 }, { expect: 200 });
  const sent = await client.post<any>('/v1/messages', { template_id: id, profile: { email } }, { expect: 201 });
  let message: any;
  await until(async () => {
    message = (await client.get(`/v1/messages/${sent.body.id}`, { expect: 200 })).body;
    return message.finished_at !== null;
  }, 'nothing more is to be done');
  return [message.status, message.reason];
}

describe('POST /v1/suppressed-addresses', () => {
  it('has nothing sent to an address, in whatever spelling, and whoever gets it later', async () => {
    expect(await suppress([' Eve@Example.COM '])).to.deep.equal({ suppressed: 1, unchanged: 0 });
    expect(await fateOf('eve@example.com')).to.deep.equal(['skipped', 'address_suppressed']);
    expect(await fateOf('ada@example.com')).to.deep.equal(['sent', null]);
  });

  it('counts those that are suppressed already, or that it repeats, as unchanged', async () => {
    await suppress(['eve@example.com'], { reason: 'complaint' });
    const again = ['eve@example.com', 'mallory@example.com', 'Mallory@example.com'];
    expect(await suppress(again)).to.deep.equal({ suppressed: 1, unchanged: 2 });
    expect((await list()).map(({ address, reason }: any) => [address, reason])).to.deep.equal([
      ['mallory@example.com', 'manual'],
      ['eve@example.com', 'complaint'],
    ]);
  });

  it('takes 1,000 addresses, and no more', async () => {
    const addresses = Array.from({ length: 1_000 }, (_, i) => `customer${i}@example.com`);
    expect(await suppress(addresses)).to.deep.equal({ suppressed: 1_000, unchanged: 0 });
    const more = { addresses: [...addresses, 'one@example.com'] };
    const { body } = await client.post<any>('/v1/suppressed-addresses', more, { expect: 400 });
    expect(body.error.field).to.equal('addresses');
  });

  it('names what is no address, and suppresses none then', async () => {
    const addresses = ['eve@example.com', 'nobody'];
    const { body } = await client.post<any>('/v1/suppressed-addresses', { addresses }, { expect: 400 });
    expect(body.error.field).to.equal('addresses[1]');
    expect(await list()).to.deep.equal([]);
  });
});

describe('GET /v1/suppressed-addresses', () => {
  it('finds an address, and those of a reason', async () => {
    await suppress(['eve@example.com'], { reason: 'hard_bounce' });
    await suppress(['mallory@example.com']);
    expect(await list('?address=EVE@example.com')).to.have.length(1);
    expect(await list('?address=ada@example.com')).to.deep.equal([]);
    const [found] = await list('?reason=hard_bounce');
    expect(found).to.include({ address: 'eve@example.com', reason: 'hard_bounce', until: null });
    expect(Date.parse(found.suppressed_at)).to.be.closeTo(Date.now(), 60_000);
  });

  it('has pages, the latest first', async () => {
    for (const name of ['a', 'b', 'c']) await suppress([`${name}@example.com`]);
    const { body } = await client.get<any>('/v1/suppressed-addresses?limit=2', { expect: 200 });
    expect(body.addresses.map(({ address }: any) => address)).to.deep.equal(['c@example.com', 'b@example.com']);
    const rest = await list(`?limit=2&cursor=${body.next_cursor}`);
    expect(rest.map(({ address }: any) => address)).to.deep.equal(['a@example.com']);
  });

  it('shows nothing of another store', async () => {
    await suppress(['eve@example.com']);
    expect(await list('', await service.client())).to.deep.equal([]);
  });
});

describe('DELETE /v1/suppressed-addresses/{id}', () => {
  it('has the address sent to again, and answers a repetition as before', async () => {
    await suppress(['eve@example.com']);
    const [found] = await list();
    const { status, body } = await release(found.id);
    expect([status, body]).to.deep.equal([200, found]);
    expect(await fateOf('eve@example.com')).to.deep.equal(['sent', null]);
    const again = await release(found.id);
    expect(again.body).to.deep.equal(found);
    expect(again.headers['idempotency-replayed']).to.equal('true');
  });

  it('finds none of another store', async () => {
    await suppress(['eve@example.com']);
    const [found] = await list();
    expect((await release(found.id, await service.client())).status).to.equal(404);
    expect(await list()).to.deep.equal([found]);
  });
});
