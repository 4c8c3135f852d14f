import { expect } from 'chai';
import { type Health, healthAfter } from '../../../src/domain/sending/health.ts';

const [SECOND, MINUTE] = [1_000, 60_000];
const NOW = Date.UTC(2026, 10, 25);
const WELL: Health = { failures: 0, failingSince: null, restingUntil: null, disabled: null };

describe('The health of an endpoint', () => {
  const answer = (status: number) => ({ status, error: null, ms: 1, excerpt: null, restMs: null });
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
});
