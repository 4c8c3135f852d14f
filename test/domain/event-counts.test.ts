import { expect } from 'chai';
import { countEvents } from '../../src/domain/event-counts.ts';
import { lowestIdAt } from '../../src/domain/id.ts';
import type { NewEvent } from '../../src/domain/write/draft.ts';

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

describe('counts of a batch', () => {
  it('are by the quarter of an hour, the type, and the month in which the event was received', () => {
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
