import { expect } from 'chai';
import { restAsked, retryDelay } from '../../../src/domain/webhooks/sending/schedule.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const NOW = Date.UTC(2026, 10, 25);

describe('The schedule of a delivery', () => {
  const middles = [5 * SECOND, 5 * MINUTE, ...[0.5, 2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

  it('is that of the specification, within a fifth', () => {
    const at = (random: number) => middles.map((_, i) => retryDelay(i + 1, random));
    expect(at(0.5)).to.deep.equal(middles);
    expect(at(0)).to.deep.equal(middles.map((ms) => ms * 0.8));
    expect(at(1)).to.deep.equal(middles.map((ms) => ms * 1.2));
  });

  it('ends with the tenth attempt', () => {
    expect(retryDelay(9, 0.5)).to.equal(24 * HOUR);
    expect(retryDelay(10, 0.5)).to.equal(undefined);
  });

  it('rests for as long as the receiver asks, an hour at most', () => {
    const cases: [number, string | undefined, number | undefined][] = [
      [429, '120', 2 * MINUTE],
      [503, '1', SECOND],
      [502, '999999999999999999999', HOUR],
      [504, 'Wed, 25 Nov 2026 00:10:00 GMT', 10 * MINUTE],
      [503, 'Wed, 25 Nov 2099 00:00:00 GMT', HOUR],
      [503, 'Tue, 24 Nov 2026 00:00:00 GMT', undefined],
      [429, '0', undefined],
      [429, '-5', undefined],
      [429, '1e9', undefined],
      [429, 'soon', undefined],
      [429, undefined, undefined],
      [500, '120', undefined],
      [301, '120', undefined],
    ];
    for (const [status, header, rest] of cases) {
      expect(restAsked(status, header, NOW), `${status} ${header}`).to.equal(rest);
    }
  });
});
