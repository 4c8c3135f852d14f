import { expect } from 'chai';
import { windowWords } from '../../src/dashboard/conditions/window-words.ts';
import type { ConditionWindow } from '../../src/dashboard/definitions.ts';

describe('The words for a window of a segment', () => {
  const WORDS: [ConditionWindow, string][] = [
    [{ last: 'P30D' }, 'in the last 30 days'],
    [{ last: 'PT30M' }, 'in the last 30 minutes'],
    [{ last: 'P1W' }, 'in the last week'],
    [{ last: 'P1DT12H' }, 'in the last 1 day 12 hours'],
    [{ last: 'P1D', calendar: true }, 'today (UTC)'],
    [{ last: 'P1W2D', calendar: true, time_zone: 'Asia/Tokyo' }, 'in the last 9 calendar days (Asia/Tokyo)'],
    [{ ago: { min: 'P30D', max: 'P60D' } }, 'between 30 and 60 days ago'],
    [{ ago: { min: 'P1DT12H', max: 'P2DT12H' } }, 'between 1 day 12 hours and 2 days 12 hours ago'],
  ];
  for (const [window, words] of WORDS) {
    it(`are “${words}” for ${JSON.stringify(window)}`, () => expect(windowWords(window)).to.equal(words));
  }
});
