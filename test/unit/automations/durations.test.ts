import { expect } from 'chai';
import { durationMs, parseDuration } from '../../../src/domain/time/duration.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('durations', () => {
  it('are of weeks, days, hours, minutes and seconds', () => {
    const lengths = {
      P1W: 7 * DAY,
      P1D: DAY,
      PT1H: HOUR,
      PT90M: 90 * MINUTE,
      PT1S: 1_000,
      P1DT2H30M: DAY + 2.5 * HOUR,
    };
    for (const [text, ms] of Object.entries(lengths)) expect(durationMs(text), text).to.equal(ms);
  });

  it('may be before something', () => {
    expect(parseDuration('-P7DT1H')).to.deep.equal({ days: -7, ms: -HOUR });
  });

  it('are nothing else', () => {
    const texts = [
      '',
      'P',
      'PT',
      'P1',
      'P1M',
      'P1Y',
      '1h',
      'PT1.5H',
      'P1DT',
      'p1d',
      'P 1D',
      'P1D ',
      'P-1D',
      'P1H',
      `P${'9'.repeat(10)}D`,
    ];
    for (const text of texts) expect(parseDuration(text), text).to.equal(undefined);
  });
});
