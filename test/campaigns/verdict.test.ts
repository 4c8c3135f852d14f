import { expect } from 'chai';
import { compareVariants, decide, type VariantCounts } from '../../src/domain/campaigns/variants/verdict.ts';

/** What became of variants: how many of each arrived and were clicked. */
const counts = (...variants: [sent: number, clicked: number][]): VariantCounts[] =>
  variants.map(([sent, clicked], i) => ({ variant: i + 1, recipients: 1_000, sent, opened: 0, clicked, ordered: 0 }));

describe('The test of a campaign', () => {
  it('has a winner where chance alone makes such a difference in fewer than 5 of 100 tests', () => {
    // z = 2.05 and 1.96, just below.
    expect(decide(counts([1_000, 40], [1_000, 60]), 'clicks', 'wait')).to.deep.equal({
      verdict: 'significant',
      winner: 2,
    });
    expect(decide(counts([1_000, 40], [1_000, 59]), 'clicks', 'wait')).to.deep.equal({
      verdict: null,
      reason: 'test_unclear',
    });
  });

  it('compares the best with the next one, in words', () => {
    const found = compareVariants(counts([1_000, 10], [1_000, 100], [1_000, 98]), 'clicks');
    expect(found).to.deep.include({ isClear: false, best: 2 });
    expect(found.explanation).to.equal(
      'Variant 2 was clicked by 10.0 %, variant 3 was clicked by 9.8 %: such a difference may well be chance.',
    );
    const clear = compareVariants(counts([1_000, 10], [1_000, 100]), 'clicks');
    expect(clear.explanation).to.match(
      /^Variant 2 was clicked by 10\.0 %, variant 1 was clicked by 1\.0 %: by chance alone/,
    );
  });

  it('takes what is too little for unclear, however large the difference', () => {
    const found = compareVariants(counts([2, 2], [2, 0]), 'clicks');
    expect(found.isClear).to.equal(false);
    expect(found.explanation).to.include('too few');
    for (const nobody of [counts([1_000, 0], [1_000, 0]), counts([5, 5], [5, 5])]) {
      expect(decide(nobody, 'clicks', 'first')).to.deep.equal({ verdict: 'unclear', winner: 1 });
    }
  });

  it('counts opens where it is to be decided by them', () => {
    const opened = counts([1_000, 500], [1_000, 0]).map((one, i) => ({ ...one, opened: [100, 300][i] as number }));
    expect(decide(opened, 'opens', 'wait')).to.deep.equal({ verdict: 'significant', winner: 2 });
  });

  it('counts orders where it is to be decided by them', () => {
    const ordered = counts([1_000, 500], [1_000, 0]).map((one, i) => ({ ...one, ordered: [10, 40][i] as number }));
    expect(decide(ordered, 'orders', 'wait')).to.deep.equal({ verdict: 'significant', winner: 2 });
    expect(compareVariants(ordered, 'orders').explanation).to.match(/^Variant 2 led to orders of 4\.0 %, variant 1 /);
  });

  it('is never won by a variant of which no message arrived', () => {
    expect(decide(counts([0, 0], [1_000, 3]), 'clicks', 'wait')).to.deep.equal({ verdict: 'unopposed', winner: 2 });
    expect(decide(counts([0, 0], [1_000, 3], [1_000, 3]), 'clicks', 'first')).to.deep.equal({
      verdict: 'unclear',
      winner: 2,
    });
    expect(decide(counts([0, 0], [0, 0]), 'clicks', 'first')).to.deep.equal({ verdict: null, reason: 'test_failed' });
  });

  it('that nobody was to try is unclear', () => {
    const nobody = counts([0, 0], [0, 0]).map((one) => ({ ...one, recipients: 0 }));
    expect(decide(nobody, 'clicks', 'first')).to.deep.equal({ verdict: 'unclear', winner: 1 });
    expect(decide(nobody, 'clicks', 'wait')).to.deep.equal({ verdict: null, reason: 'test_unclear' });
  });
});
