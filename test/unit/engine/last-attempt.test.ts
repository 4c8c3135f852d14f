import { expect } from 'chai';
import { nextAttemptAt } from '../../../src/engine/last-attempt.ts';

const SECOND = 1_000;
/** Seconds. */
const next = (planned: number, earliest: number, expires: number | null) => {
  const expiresAt = expires === null ? null : expires * SECOND;
  const at = nextAttemptAt({ planned: planned * SECOND, earliest: earliest * SECOND, expiresAt });
  return at === undefined ? undefined : at / SECOND;
};

describe('What is not to be sent after some time', () => {
  it('is tried as planned before that', () => {
    expect(next(300, 5, null)).to.equal(300);
    expect(next(300, 5, 301)).to.equal(300);
  });

  it('is tried one last time shortly before, where the next attempt would be too late', () => {
    expect(next(300, 5, 120)).to.equal(115);
    expect(next(300, 5, 300)).to.equal(295);
  });

  it('is not tried again where there is no time left, or the receiver asks to be left alone for longer', () => {
    expect(next(420, 121, 125)).to.equal(undefined);
    expect(next(3_600, 3_600, 120)).to.equal(undefined);
  });
});
