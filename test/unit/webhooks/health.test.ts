import { expect } from 'chai';
import { type Health, healthAfter } from '../../../src/domain/webhooks/sending/health.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const NOW = Date.UTC(2026, 10, 25);
const WELL: Health = { failures: 0, failingSince: null, lastFailedAt: null, restingUntil: null, disabled: null };

describe('The health of an endpoint', () => {
  const answer = (status: number) => ({ status, error: null, ms: 1, excerpt: null, restMs: null, isResent: false });
  const fail = (health: Health, times: number, now: number): Health =>
    Array.from({ length: times }).reduce<Health>((before) => healthAfter(before, answer(500), now), health);

  it('has it rest from the tenth failure in a row, for 30 seconds at first, however many were under way', () => {
    expect(fail(WELL, 9, NOW).restingUntil).to.equal(null);
    for (const times of [10, 11, 100]) {
      expect(fail(WELL, times, NOW).restingUntil, String(times)).to.equal(NOW + 30 * SECOND);
    }
  });

  it('has it rest twice as long after each attempt that fails then, ten minutes at most', () => {
    let health = fail(WELL, 100, NOW);
    const rests: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      const now = health.restingUntil as number;
      health = fail(health, 1, now);
      rests.push((health.restingUntil as number) - now);
    }
    expect(rests).to.deep.equal([1, 2, 4, 8, 10, 10].map((minutes) => minutes * MINUTE));
    expect(healthAfter(health, answer(200), NOW)).to.deep.equal(WELL);
  });

  /** After failures at these hours. */
  const failingAt = (hours: readonly number[]): Health =>
    hours.reduce((health, hour) => fail(health, 1, NOW + hour * HOUR), WELL);

  it('has it disabled once it has only failed for five days, ten times and more', () => {
    const daily = [0, 0, 0, 0, 0, 0, 24, 48, 72, 96];
    expect(failingAt(daily).disabled).to.equal(null);
    expect(failingAt([...daily, 119.9]).disabled).to.equal(null);
    expect(failingAt([...daily, 120]).disabled).to.equal('failing');
    expect(failingAt([0, 24, 48, 72, 96, 120, 121, 122, 123]).disabled, 'nine times').to.equal(null);
    const recovered = healthAfter(failingAt(daily), answer(200), NOW + 100 * HOUR);
    expect(fail(recovered, 20, NOW + 120 * HOUR).disabled).to.equal(null);
  });

  it('counts failures anew after a day and a half without an attempt', () => {
    const rare = Array.from({ length: 40 }, (_, i) => i * 37);
    expect(failingAt(rare)).to.include({ failures: 1, failingSince: NOW + 39 * 37 * HOUR, disabled: null });
    const often = Array.from({ length: 10 }, (_, i) => i * 36);
    expect(failingAt(often)).to.include({ failures: 10, failingSince: NOW, disabled: 'failing' });
  });

  it('has it disabled at once where it is gone', () => {
    expect(healthAfter(WELL, answer(410), NOW).disabled).to.equal('gone');
  });
});
