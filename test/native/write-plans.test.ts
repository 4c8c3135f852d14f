import { expect } from 'chai';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** As often as Postgres plans a prepared statement for its parameters, and then some: from then on it keeps a plan. */
const TIMES = 12;

describe('Statements that write, while statistics say that all tables are empty', () => {
  let database: TestDatabase;
  let service: TestService;

  before(async () => {
    database = await createUndividedDatabase();
    // As after a restore, or for the partition of a month that begins.
    await database.query('analyze');
    service = await TestService.start({}, database);
  });
  after(() => service.stop());

  /** How often a table was read as a whole. Connections tell when they close. */
  const wholeReads = async (): Promise<Record<string, string>> => {
    const rows = await database.query<{ table: string; reads: string }>(
      `select coalesce(inhparent, relid)::regclass::text as table, sum(seq_scan) as reads
       from pg_stat_user_tables left join pg_inherits on inhrelid = relid where schemaname = 'public' group by 1`,
    );
    return Object.fromEntries(rows.map(({ table, reads }) => [table, reads]));
  };

  it('find all rows by an index', async () => {
    const client = await service.client();
    const before = await wholeReads();
    for (let n = 0; n < TIMES; n += 1) {
      const customer = { email: `customer${n % 3}@example.com` };
      const event = { event_type: 'visit', profile: customer, idempotency_key: `key${n}` };
      await client.post('/v1/events', event, { expect: 201 });
      await client.post('/v1/events', event, { expect: 201 });
      await client.post(
        '/v1/events/bulk',
        { events: [event, { event_type: 'visit', profile: customer }] },
        { expect: 201 },
      );
      await client.post('/v1/profiles/upsert', { identifiers: customer, attributes: { n } }, { expect: 200 });
    }
    await service.stopService();
    const after = await wholeReads();
    for (const table of ['profile', 'profile_identifier', 'idempotency_key', 'event', 'automation_watch']) {
      expect(after[table], table).to.equal(before[table]);
    }
  });
});
