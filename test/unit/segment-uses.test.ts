import { expect } from 'chai';
import type { Window } from '../../src/domain/segments/core/definition.ts';
import { usesEventsBefore } from '../../src/domain/segments/core/uses.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 25);

describe('Events that a segment uses', () => {
  const uses = (days: number, window?: Window) =>
    usesEventsBefore({ not: { event: { type: 'ordered', ...(window && { window }) } } }, NOW - days * DAY, NOW);

  it('are all without a window', () => {
    expect(uses(10_000)).to.equal(true);
    expect(uses(10_000, { from: '1990-01-01T00:00:00Z' })).to.equal(true);
    const last = { profile: { time: 'last_event_at', window: { last: '1d' } } } as const;
    expect(usesEventsBefore(last, NOW - 10_000 * DAY, NOW)).to.equal(true);
  });

  it('are those of the window, which may have been received a year before', () => {
    expect([uses(30, { last: '7d' }), uses(373, { last: '7d' }), uses(375, { last: '7d' })]).to.deep.equal([
      true,
      true,
      false,
    ]);
    const ago = { ago: { min: '30d', max: '60d' } };
    expect([uses(426, ago), uses(428, ago)]).to.deep.equal([true, false]);
  });

  it('are none of one that asks for none', () => {
    const definition = { all: [{ identifier: 'email' }, { attribute: { name: 'tier', op: 'exists' } }] } as const;
    expect(usesEventsBefore(definition, NOW, NOW)).to.equal(false);
  });
});
