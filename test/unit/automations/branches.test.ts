import { expect } from 'chai';
import { drawByHash } from '../../../src/domain/automations/core/machine/draw.ts';
import { automation, chain, mark } from './support/definitions.ts';
import { Shop } from './support/shop.ts';

const gold = { attribute: 'tier', op: 'eq', value: 'gold' } as const;
const large = { property: 'value', op: 'gte', value: 100 } as const;
const ENDS = ['gold', 'large', 'other'].map((id) => ({ ...mark(id), next: null }));

describe('a branch', () => {
  const steps = chain(
    {
      id: 'b',
      type: 'branch',
      cases: [
        { when: gold, next: 'gold' },
        { when: large, next: 'large' },
      ],
      else: 'other',
    },
    ...ENDS,
  );
  const through = (attributes: Record<string, unknown>, properties: Record<string, unknown>) => {
    const shop = new Shop(automation({ steps }), { attributes });
    shop.record('started', properties);
    return shop.timeline.find(({ outcome }) => outcome === 'branched');
  };

  it('leads where the first case holds, and says by what', () => {
    expect(through({ tier: 'gold' }, { value: 200 })).to.deep.include({
      case: 0,
      next: 'gold',
      leaf: { path: [], leaf: gold, saw: 'gold' },
    });
    expect(through({ tier: 'silver' }, { value: 200 })).to.deep.include({ case: 1, next: 'large' });
  });

  it('leads elsewhere if no case holds, and says what the last one saw', () => {
    expect(through({}, { value: 50 })).to.deep.include({
      case: null,
      next: 'other',
      leaf: { path: [], leaf: large, saw: 50 },
    });
  });
});

describe('a split', () => {
  const splitBy = (...percents: number[]) => {
    const weights = percents.map((percent, i) => ({ percent, next: ENDS[i]?.id }));
    return new Shop(automation({ steps: chain({ id: 's', type: 'split', weights }, ...ENDS) }));
  };
  const shares = (shop: Shop, customers: number) => {
    const found = [0, 0, 0];
    for (let i = 0; i < customers; i += 1) shop.record('started', {}, { customer: `customer ${i}` });
    for (const entry of shop.timeline)
      if (entry.outcome === 'split') found[entry.index] = (found[entry.index] ?? 0) + 1;
    return found;
  };

  it('gives each way its share', () => {
    const [gold, large, other] = shares(splitBy(60, 30, 10), 3_000) as [number, number, number];
    expect(gold).to.be.within(1_650, 1_950);
    expect(large).to.be.within(750, 1_050);
    expect(other).to.be.within(200, 400);
  });

  it('gives a way of 0 percent nobody', () => {
    expect(shares(splitBy(0, 100, 0), 200)).to.deep.equal([0, 200, 0]);
  });

  it('draws the same for the same run at the same step', () => {
    expect(drawByHash('run', 'step')).to.equal(drawByHash('run', 'step'));
    expect(drawByHash('run', 'step')).not.to.equal(drawByHash('run', 'other step'));
    expect(drawByHash('run', 'step')).to.be.within(0, 99.999_999_99);
  });
});
