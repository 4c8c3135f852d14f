import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import type { NewEvent } from '../../src/domain/event.ts';
import { sumUpCounts } from '../../src/domain/event-counts.ts';
import { countEvents } from '../../src/domain/write/insert.ts';
import { lowestIdAt } from '../../src/ids/uuid-v7.ts';
import { createDatabase } from '../support/postgres.ts';

/** An event that was received at one time, and happened at another. */
function event(received: string, occurred: string, eventType: string): NewEvent {
  const [receivedAt, occurredAt] = [new Date(received), new Date(occurred)];
  return {
    id: lowestIdAt(receivedAt),
    eventType,
    properties: {},
    source: null,
    idempotencyKey: null,
    occurredAt,
    receivedAt,
  };
}

describe('Counts of a batch', () => {
  it('are grouped by quarter of an hour, type, and month of receipt', () => {
    const events = [
      event('2026-10-31T23:59:59.999Z', '2026-10-31T23:59:59.000Z', 'a'),
      event('2026-11-01T00:00:00.000Z', '2026-10-31T23:59:59.000Z', 'a'),
      event('2026-11-01T00:00:00.001Z', '2026-11-01T00:00:00.000Z', 'a'),
      event('2026-11-01T00:00:00.001Z', '2026-11-01T00:14:59.999Z', 'a'),
      event('2026-11-01T00:00:00.002Z', '2026-11-01T00:00:00.000Z', 'b'),
      // Ids need not come in order.
      event('2026-10-31T23:59:59.998Z', '2026-10-31T23:45:00.000Z', 'a'),
      event('2026-11-30T23:59:59.999Z', '1999-12-31T23:59:59.999Z', 'a'),
    ];
    const counts = countEvents(events).map(({ start, eventType, month, count }) =>
      [month.toISOString().slice(0, 10), start.toISOString(), eventType, count].join(' '),
    );
    expect(counts).to.have.members([
      '2026-10-01 2026-10-31T23:45:00.000Z a 2',
      '2026-11-01 2026-10-31T23:45:00.000Z a 1',
      '2026-11-01 2026-11-01T00:00:00.000Z a 2',
      '2026-11-01 2026-11-01T00:00:00.000Z b 1',
      '2026-11-01 1999-12-31T23:45:00.000Z a 1',
    ]);
  });
});

describe('Summing up counts', () => {
  it('succeeds if each of ten thousand events has a different day and type', async () => {
    const database = await createDatabase();
    const { stores, close } = await openDatabase(database.address, 1);
    await database.query(`
      insert into event_count_new (store_id, start, event_type, month, count)
      select gen_random_uuid(), timestamptz '2000-01-01Z' + n * interval '1 day', 'type' || n, '2026-11-01Z', 1
      from generate_series(1, 10000) n`);
    await stores.each(sumUpCounts);
    const [left] = await database.query(`
      select (select count(*)::int from event_count_new) as waiting, (select count(*)::int from event_day) as days`);
    expect(left).to.deep.equal({ waiting: 0, days: 10_000 });
    await close();
    await database.drop();
  });
});
