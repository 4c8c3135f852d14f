import { expect } from 'chai';
import { ReportSlots } from '../../src/domain/reports/slots.ts';

describe('What is kept of reports', () => {
  it('of a store with ever other questions leaves what others have asked', async () => {
    const slots = new ReportSlots();
    let count = 0;
    const ask = async (store: string, question: number) => {
      // biome-ignore lint/correctness/useHookAtTopLevel: it is no hook of React.
      const { report } = await slots.useOnce(store, question, async () => ++count);
      return report;
    };
    expect(await ask('quiet', 1)).to.equal(1);
    for (let n = 0; n < 600; n++) await ask('busy', n);
    expect(count).to.equal(601);
    expect(await ask('quiet', 1)).to.equal(1);
    expect(await ask('busy', 599)).to.equal(601);
    expect(await ask('busy', 0)).to.equal(602);
  });
});
