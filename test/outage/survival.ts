import { expect } from 'chai';
import type { Context } from 'mocha';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { type Fault, NO_CONNECTION } from './faults.ts';
import { type Figures, renderTable } from './figures.ts';
import type { Stage } from './stage.ts';
import { tryFault } from './trial.ts';

/** In `npm run soak` each fault comes several times, and lasts up to so many times as long. */
const SOAK_FACTOR = 5;
/** What the service promises, in milliseconds, on a machine with nothing else to do: so only `npm run soak` asks. */
const SLOWEST_MS = 5_000;
const RECOVERY_MS = 10_000;
/** What the service answers once a limit of its own has passed: with other programs beside it, any of them may. */
const LATE = SOAK_ROUNDS > 0 ? [] : NO_CONNECTION;

/** The tests of faults that happen to a service under load, on a stage of their own. */
export function itSurvives(faults: readonly Fault[], openStage: (test: Context) => Promise<Stage>): void {
  const figures: Figures[] = [];
  let stage: Stage;

  before(async function () {
    stage = await openStage(this);
  });
  after(() => stage?.close());
  after(() => {
    if (SOAK_ROUNDS > 0) console.log(`\n${renderTable(figures)}\n`);
  });

  for (const fault of faults) {
    for (let round = 1; round <= Math.max(1, SOAK_ROUNDS); round += 1) {
      it(`loses and duplicates nothing, and recovers by itself: ${fault.name}`, async () => {
        figures.push(await expectSurvival(stage, fault));
      });
    }
  }
}

async function expectSurvival(stage: Stage, fault: Fault): Promise<Figures> {
  const ms = SOAK_ROUNDS > 0 ? fault.ms * (1 + Math.random() * (SOAK_FACTOR - 1)) : fault.ms;
  const trial = await tryFault(stage, fault, ms);
  const nothing = { lost: [], doubled: [], torn: [] };
  expect(trial.after).to.deep.include(nothing);
  const logged = () => trial.log.filter((line) => line.includes('"level":50')).join('\n');
  const allowed = [...fault.failures, ...LATE];
  for (const failure of trial.failures) expect(allowed, logged()).to.include(failure);
  if (fault.answersAll) expect(trial.unanswered).to.deep.equal([]);
  if (SOAK_ROUNDS > 0) {
    expect(trial.figures.slowestMs).to.be.below(SLOWEST_MS);
    expect(trial.figures.recoveryMs).to.be.below(RECOVERY_MS);
  }
  expect(trial.failedAgain).to.equal(0);
  expect(trial.repeated).to.deep.include(nothing);
  expect(trial.orphans).to.deep.equal([]);
  expect(trial.misruns).to.deep.equal([]);
  expect(trial.unsent).to.deep.equal([]);
  return trial.figures;
}
