import { expect } from 'chai';
import { temporaryFolder } from '../support/process.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { CLUSTER_FAULTS, FAULTS, type Fault, fullDisk } from './faults.ts';
import { type Figures, renderTable } from './figures.ts';
import { Stage } from './stage.ts';
import { tryFault } from './trial.ts';

/** In `npm run soak` each fault comes several times, and lasts up to so many times as long. */
const SOAK_FACTOR = 5;

/** What the service promises, in milliseconds, on a machine with nothing else to do: so only `npm run soak` asks. */
const SLOWEST_MS = 5_000;
const RECOVERY_MS = 10_000;

const DISK_MB = 512;

describe('A service under load', () => {
  const figures: Figures[] = [];
  let stage: Stage;

  async function expectSurvival(fault: Fault): Promise<void> {
    const ms = SOAK_ROUNDS > 0 ? fault.ms * (1 + Math.random() * (SOAK_FACTOR - 1)) : fault.ms;
    const trial = await tryFault(stage, fault, ms);
    figures.push(trial.figures);
    const nothing = { lost: [], doubled: [], torn: [] };
    expect(trial.after).to.deep.include(nothing);
    for (const failure of trial.failures) expect(fault.failures, failure).to.include(failure);
    expect(trial, 'has suffered from it').to.satisfy(fault.shows);
    if (SOAK_ROUNDS > 0) {
      expect(trial.figures.slowestMs).to.be.below(SLOWEST_MS);
      expect(trial.figures.recoveryMs).to.be.below(RECOVERY_MS);
    }
    expect(trial.failedAgain).to.equal(0);
    expect(trial.repeated).to.deep.include(nothing);
    expect(trial.orphans).to.deep.equal([]);
    expect(trial.misruns).to.deep.equal([]);
    expect(trial.unsent).to.deep.equal([]);
  }

  function itSurvives(name: string, fault: () => Fault): void {
    for (let round = 1; round <= Math.max(1, SOAK_ROUNDS); round += 1) {
      it(`loses and duplicates nothing, and recovers by itself: ${name}`, () => expectSurvival(fault()));
    }
  }

  after(() => {
    if (SOAK_ROUNDS > 0) console.log(`\n${renderTable(figures)}\n`);
  });

  describe('with failing neighbours', () => {
    before(async function () {
      stage = await Stage.open(this, await temporaryFolder());
    });
    after(() => stage?.close());

    for (const fault of FAULTS) itSurvives(fault.name, () => fault);
  });

  describe('with a Redis Cluster', () => {
    before(async function () {
      stage = await Stage.open(this, await temporaryFolder(), { withCluster: true });
    });
    after(() => stage?.close());

    for (const fault of CLUSTER_FAULTS) itSurvives(fault.name, () => fault);
  });

  // Where disks can't be mounted, the kernel offers no other way to fill one without harm to others.
  if (canMount()) {
    describe('with a full disk', () => {
      let disk: SmallDisk;

      before(async function () {
        disk = await mountSmallDisk(DISK_MB);
        stage = await Stage.open(this, disk);
      });
      after(() => stage?.close());

      itSurvives('the disk of Postgres is full', () => fullDisk(disk));
    });
  }
});
