import { expect } from 'chai';
import { FAULTS } from './faults.ts';
import { type Figures, renderTable } from './figures.ts';
import { Stage } from './stage.ts';
import { tryFault } from './trial.ts';

/** Set by `npm run soak`: each fault comes so many times, and lasts up to several times as long. */
const SOAK_ROUNDS = Number(process.env.SOAK_ROUNDS ?? 0);
const SOAK_FACTOR = 5;

/** What the service promises, in milliseconds. */
const SLOWEST_MS = 5_000;
const RECOVERY_MS = 10_000;

describe('under load', () => {
  const figures: Figures[] = [];
  let stage: Stage;

  before(async function () {
    stage = await Stage.open(this);
  });
  after(async () => {
    if (SOAK_ROUNDS > 0) console.log(`\n${renderTable(figures)}\n`);
    await stage?.close();
  });

  for (const fault of FAULTS) {
    for (let round = 1; round <= Math.max(1, SOAK_ROUNDS); round += 1) {
      const ms = SOAK_ROUNDS > 0 ? fault.ms * (1 + Math.random() * (SOAK_FACTOR - 1)) : fault.ms;

      it(`${fault.name}: nothing is lost or doubled, and it recovers by itself`, async () => {
        const trial = await tryFault(stage, fault, ms);
        figures.push(trial.figures);
        const nothing = { lost: [], doubled: [], torn: [] };
        expect(trial.after).to.deep.include(nothing);
        for (const failure of trial.failures) expect(fault.failures, failure).to.include(failure);
        expect(trial, 'has suffered from it').to.satisfy(fault.shows);
        expect(trial.figures.slowestMs).to.be.below(SLOWEST_MS);
        expect(trial.figures.recoveryMs).to.be.below(RECOVERY_MS);
        expect(trial.failedAgain).to.equal(0);
        expect(trial.repeated).to.deep.include(nothing);
        expect(trial.orphans).to.deep.equal([]);
      }).timeout(120_000 + ms);
    }
  }
});
