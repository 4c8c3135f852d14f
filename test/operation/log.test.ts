import { randomUUID } from 'node:crypto';
import { DriverException } from '@mikro-orm/core';
import { expect } from 'chai';
import { describeError } from '../../src/process/log.ts';
import { Client } from '../support/client.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { runKeys, ServiceProcess } from '../support/process.ts';

describe('The log', () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  before(async () => {
    database = await createDatabase();
    service = new ServiceProcess({ DATABASE_URL: database.url, LOG_LEVEL: 'trace' });
    await service.url();
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  it('identifies every request by id, operation and key, without its data, whatever its outcome', async () => {
    const args = ['create', '--name', 'Shop of Grace', '--scopes', 'events:write,profiles:write', '--json'];
    const { id, key } = JSON.parse((await runKeys(args, { DATABASE_URL: database.url })).stdout);
    const [row] = await database.query<{ store_id: string }>(`select store_id from api_key where id = '${id}'`);
    const client = new Client(await service.url(), key);
    const profile = { email: 'grace.secret@example.com', phone: '+390612345678', external_id: 'secret-id' };
    const event = { event_type: 'secret_type', profile, properties: { note: 'secret-note' } };

    const statuses: number[] = [];
    const ids: (string | undefined)[] = [];
    const send = async (request: Promise<{ status: number; headers: Record<string, string> }>) => {
      const { status, headers } = await request;
      statuses.push(status);
      ids.push(headers['x-request-id']);
    };
    await send(client.post('/v1/events', event));
    await send(client.post('/v1/profiles/upsert', { identifiers: profile, attributes: { name: 'secret-name' } }));
    await send(client.post('/v1/events', { ...event, secret_field: 'secret-value' }));
    await send(client.send('POST', '/v1/events', '{"secret-json', { headers: { 'Content-Type': 'application/json' } }));
    await send(client.post('/v1/customers/grace.secret@example.com/orders?name=secret', {}));
    await send(new Client(await service.url(), `${key.slice(0, -1)}_`).post('/v1/events', event));
    // What Postgres says of it quotes the row.
    await database.query(`alter table event add check (event_type <> 'secret_type') not valid`);
    await send(client.post('/v1/events', { ...event, idempotency_key: randomUUID() }));
    await database.query('alter table profile rename to elsewhere');
    await send(client.post('/v1/profiles/upsert', { identifiers: profile }));
    expect(statuses).to.deep.equal([201, 200, 400, 400, 404, 401, 500, 500]);

    await service.stop();
    const lines = service.stdout.split('\n').filter((line) => line.startsWith('{'));
    const entries = lines.map((line) => JSON.parse(line));
    for (const [i, requestId] of ids.entries()) {
      const entry = entries.find(({ msg, request_id }) => msg === 'request' && request_id === requestId);
      expect(entry, `request ${i}`).to.include({ method: 'POST', status: statuses[i] });
    }
    expect(entries.find(({ request_id }) => request_id === ids[0])).to.include({
      operation: 'createEvent',
      store_id: row?.store_id,
      key_id: id,
    });
    const [lost, ...found] = entries.filter(({ path }) => path !== undefined);
    expect([lost.request_id, lost.path, found]).to.deep.equal([ids[4], '/v1/customers/*/orders', []]);
    const failures = entries.filter(({ msg }) => msg === 'request failed');
    expect(failures.map(({ err, request_id }) => [err.code, request_id])).to.deep.equal([
      ['23514', ids[6]],
      ['42P01', ids[7]],
    ]);
    // None of these words can be in an id.
    expect(lines.join('\n')).not.to.match(/secret|grace|39061234|Shop/i);
    expect(service.stdout.replace(service.key ?? '', '')).not.to.contain('ffk_');
  });

  it('keeps the type, code, place and causes of an error, but no values that it quotes', () => {
    const refused = Object.assign(new Error('invalid input syntax for type uuid: "ada" of "Ada"'), {
      name: 'error',
      code: '22P02',
      detail: 'Key (kind, value)=(email, ada@example.com) already exists.',
      where: 'unnamed portal parameter $1 = ada',
      table: 'profile',
    });
    const thrown = new Error('Something failed', { cause: new DriverException(refused) });
    const described = describeError(thrown);
    expect(JSON.stringify(described)).not.to.match(/ada/i);
    expect(described).to.include({ type: 'Error', message: 'Something failed' });
    expect(described?.stack).to.match(/^ {4}at .*log\.test\.ts/);
    expect(described?.cause).to.include({
      code: '22P02',
      table: 'profile',
      message: 'invalid input syntax for type uuid: "…"',
    });
  });
});
