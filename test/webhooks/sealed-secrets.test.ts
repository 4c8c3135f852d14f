import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { Client } from '../support/client.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { RECEIVABLE } from './support/merchant.ts';
import { Receiver } from './support/receiver.ts';

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)];

describe('The secrets of endpoints at rest', () => {
  let database: TestDatabase;
  let service: TestService | undefined;
  let receiver: Receiver;
  let client: Client;
  let storeId: string;

  before(async () => {
    database = await createDatabase();
    receiver = await Receiver.start();
    // As it is after an upgrade: the version before may still run.
    await database.query(`
      update background_migration set completed_at = null, taken_until = now() + interval '1 day'
      where name = 'webhook_secrets_sealed'`);
  });
  after(async () => {
    await receiver[Symbol.asyncDispose]();
    await service?.stop();
  });

  async function start(SECRET_KEY: string): Promise<void> {
    await service?.stopService();
    service = await TestService.start({ ...RECEIVABLE, SECRET_KEY }, database);
    storeId ??= await service.newStore();
    client = await service.client({ storeId });
  }

  const endpoint = async (more: object = {}): Promise<{ id: string; secret: string }> => {
    const body = { url: receiver.url, name: 'Orders', ...more };
    const created = (await client.post<any>('/v1/webhook-endpoints', body, { expect: 201 })).body;
    return { id: created.endpoint.id, secret: created.secret };
  };
  const rotate = async (id: string): Promise<string> =>
    (await client.send<any>('POST', `/v1/webhook-endpoints/${id}/rotate`, undefined, { expect: 200 })).body.secret;

  const stored = async (id: string): Promise<{ secret: string; previous_secrets: { secret: string }[] }> =>
    (await database.query(`select secret, previous_secrets from webhook_endpoint where id = '${id}'`))[0] as never;

  /** Sends a test message; it has the signatures of so many of these secrets. */
  async function expectSignedBy(id: string, ...secrets: string[]): Promise<void> {
    const { length } = receiver.received;
    await client.send('POST', `/v1/webhook-endpoints/${id}/test`, undefined, { expect: 200 });
    const { body, headers } = receiver.received[length] as (typeof receiver.received)[number];
    for (const secret of secrets) new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(String(headers['webhook-signature']).split(' ')).to.have.length(secrets.length);
  }

  it('are in clear as long as a version before may read them, and encrypted from then on', async () => {
    await start(FIRST as string);
    const { id, secret } = await endpoint();
    const rotated = await rotate(id);
    expect(await stored(id)).to.deep.include({ secret: rotated });
    await database.query(`
      update background_migration set taken_until = now() - interval '1 second' where name = 'webhook_secrets_sealed'`);
    await until(async () => !(await stored(id)).secret.startsWith('whsec_'), 'it is encrypted');
    expect(JSON.stringify(await stored(id))).to.not.include('whsec_');
    await expectSignedBy(id, rotated, secret);
    const other = await endpoint();
    expect((await stored(other.id)).secret).to.not.include('whsec_');
    await expectSignedBy(other.id, other.secret);
    // The one that was replaced, encrypted as it is, signs as well.
    const again = await rotate(id);
    expect(JSON.stringify(await stored(id))).to.not.include('whsec_');
    await expectSignedBy(id, again, rotated, secret);
  });

  it('are shown once more to whoever repeats a creation', async () => {
    const { secret } = await endpoint({ idempotency_key: 'orders-1' });
    expect(secret).to.match(/^whsec_/);
    expect((await endpoint({ idempotency_key: 'orders-1' })).secret).to.equal(secret);
  });

  it('that another key has encrypted disable their endpoint, until they are rotated', async () => {
    const { id } = await endpoint();
    await start(SECOND as string);
    const { error } = (await client.send<any>('POST', `/v1/webhook-endpoints/${id}/test`, undefined, { expect: 400 }))
      .body;
    expect(error.message).to.include('rotate it');
    await database.query(`
      insert into webhook_delivery
        (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at, attempt, claim, created_at)
      values ('${storeId}', gen_random_uuid(), '${id}', false, 'webhook.test', '{}', 'pending', now() - interval '1 second', 0, 0, now())`);
    const find = async () => (await client.get<any>(`/v1/webhook-endpoints/${id}`, { expect: 200 })).body;
    await until(async () => (await find()).status === 'disabled', 'it is disabled');
    expect((await find()).disabled_reason).to.equal('secret_lost');
    const secret = await rotate(id);
    const { url, name, max_per_second, max_concurrent } = await find();
    await client.send(
      'PUT',
      `/v1/webhook-endpoints/${id}`,
      JSON.stringify({ url, name, max_per_second, max_concurrent, status: 'active' }),
      { headers: { 'Content-Type': 'application/json' }, expect: 200 },
    );
    await expectSignedBy(id, secret);
  });
});
