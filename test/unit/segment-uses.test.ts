import { expect } from 'chai';
import type { Window } from '../../src/domain/conditions/windows.ts';
import { usesEventsBefore } from '../../src/domain/segments/core/uses.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 25);

describe('Events that a segment uses', () => {
  const uses = (days: number, window?: Window) =>
    usesEventsBefore({ not: { did: { event_type: 'ordered', ...(window && { window }) } } }, NOW - days * DAY, NOW);

  it('are all without a window', () => {
    expect(uses(10_000)).to.equal(true);
    expect(uses(10_000, { from: '1990-01-01T00:00:00Z' })).to.equal(true);
    const last = { profile: { time: 'last_event_at', window: { last: 'P1D' } } } as const;
    expect(usesEventsBefore(last, NOW - 10_000 * DAY, NOW)).to.equal(true);
  });

  it('are those of the window, which may have been received a year before', () => {
    expect([uses(30, { last: 'P7D' }), uses(373, { last: 'P7D' }), uses(375, { last: 'P7D' })]).to.deep.equal([
      true,
      true,
      false,
    ]);
    const ago = { ago: { min: 'P30D', max: 'P60D' } };
    expect([uses(426, ago), uses(428, ago)]).to.deep.equal([true, false]);
  });

  it('are none of one that asks for none', () => {
    const definition = {
      all: [
        { identifier: 'email', op: 'exists' },
        { attribute: 'tier', op: 'exists' },
      ],
    } as const;
    expect(usesEventsBefore(definition, NOW, NOW)).to.equal(false);
  });
});
