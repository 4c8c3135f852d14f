import { expect } from 'chai';
import pg from 'pg';
import { eventJobDocument } from '../compat/documents.ts';
import type { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { AS_PROMISED } from '../support/process.ts';
import { readAll } from '../support/reading.ts';
import { TestService } from '../support/service.ts';
import { storeGiants } from './giants.ts';

const EVENT = { event_type: 'seen', profile: { email: 'ada@example.com' } };
const EVENT_JOB = eventJobDocument([{ profile: { email: 'ada@example.com' }, events: [{ metric: 'Seen' }] }]);
/** Connections on which one store asks for what is dear, again and again. */
const CONNECTIONS = 12;
/** Milliseconds for which it does. */
const ATTACK_MS = 4_000;

describe('Database connections of one store, next to another store', () => {
  let service: TestService;
  let attacker: Client;
  let victim: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ ...AS_PROMISED, RATE_LIMIT_TIERS: 'standard=100000,partner=100000' });
    const key = await service.newKey();
    storeId = key.storeId;
    attacker = (await service.client()).as(key.key);
    victim = await service.client();
  });
  after(() => service.stop());

  /** Has the attacker ask on many connections, until the other store has done something for a while; what the attacker got. */
  async function duringAttack(attack: (n: number) => Promise<{ status: number }>, victimDoes: () => Promise<unknown>) {
    const end = performance.now() + ATTACK_MS;
    const statuses = new Set<number>();
    const attacks = Array.from({ length: CONNECTIONS }, async (_, i) => {
      for (let n = i; performance.now() < end; n += CONNECTIONS) statuses.add((await attack(n)).status);
    });
    while (performance.now() < end) await victimDoes();
    await Promise.all(attacks);
    return [...statuses];
  }

  it('stay available to others while it makes expensive reads', async () => {
    await storeGiants(service.database, storeId, 100);
    const path = '/v1/events?property=p49&property_value=nothing';
    const statuses = await duringAttack(
      () => attacker.get(path),
      async () => {
        await victim.post('/v1/events', EVENT, { expect: 201 });
        await victim.get('/v1/events?limit=1', { expect: 200 });
      },
    );
    expect([200, 502]).to.include.members(statuses);
    expect(await readAll(attacker, path, 'events')).to.deep.equal([]);
  });

  it('stay available to others while its writes wait', async () => {
    await attacker.post('/v1/events', EVENT, { expect: 201 });
    const holder = new pg.Client(service.database.url);
    await holder.connect();
    try {
      await holder.query(`begin; select from profile where store_id = '${storeId}' and email is not null for update`);
      // To give a profile another identifier locks it.
      const claim = (n: number) => ({ ...EVENT, profile: { ...EVENT.profile, external_id: `claimed-${n}` } });
      const statuses = await duringAttack(
        (n) => attacker.post('/v1/events/bulk', { events: [claim(n)] }),
        () => victim.post('/v1/events', EVENT, { expect: 201 }),
      );
      expect(statuses).not.to.include(201);
    } finally {
      await holder.end();
    }
    await attacker.post('/v1/events/bulk', { events: [EVENT] }, { expect: 201 });
  });

  it('stay available to others while its bulk jobs wait to be created', async () => {
    const create = () => attacker.post('/compat/v1/event-bulk-create-jobs', EVENT_JOB);
    const release = await holdTable(service.database, 'import_job', 'share');
    try {
      const statuses = await duringAttack(create, () => victim.post('/v1/events', EVENT, { expect: 201 }));
      expect(statuses).not.to.include(202);
    } finally {
      await release();
    }
  });
});
