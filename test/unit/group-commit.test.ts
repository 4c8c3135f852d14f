import { expect } from 'chai';
import type { StoreData } from '../../src/db/store-data.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import type { Draft, Outcome, Recorded } from '../../src/domain/write/draft.ts';
import { GroupCommit } from '../../src/domain/write/group-commit.ts';
import { turns } from '../support/turns.ts';

const BAD_DATA = Object.assign(new Error('value out of range'), { severity: 'ERROR', code: '22003' });
const BROKEN = new Error('Connection terminated unexpectedly');
const REFUSED = new ServiceError('validation_error', 'not like this');

/** Its transactions are made up here: what becomes of a draft is in its `external_id`. */
class MadeUpCommits extends GroupCommit {
  readonly tried: string[][] = [];
  readonly committed: string[] = [];
  /** Until then no transaction ends. */
  held: Promise<void> | undefined;

  constructor() {
    super(undefined as unknown as StoreData);
  }

  override async recordAll(storeId: string, drafts: readonly Draft[]): Promise<Outcome[]> {
    const names = drafts.map(({ identifiers }) => identifiers.external_id as string);
    this.tried.push(names);
    await this.held;
    for (const name of names) {
      if (name.startsWith('bad')) throw BAD_DATA;
      if (name.startsWith('broken')) throw BROKEN;
    }
    return names.map((name) => {
      if (name.startsWith('refused')) return REFUSED;
      this.committed.push(`${storeId} ${name}`);
      return { profileId: name } as Recorded;
    });
  }

  /** Records drafts of these names together; what each of them is answered. */
  async recordTogether(names: string[]): Promise<unknown[]> {
    const answers = names.map((name) => this.record('store', draft(name)));
    const settled = await Promise.allSettled(answers);
    return settled.map((each) => (each.status === 'fulfilled' ? each.value.profileId : each.reason));
  }
}

function draft(name: string): Draft {
  return { identifiers: { external_id: name }, onIdentifierConflict: 'ignore' };
}

describe('a group commit', () => {
  it('records in one transaction what comes together, and answers each with its own outcome', async () => {
    const commits = new MadeUpCommits();
    expect(await commits.recordTogether(['a', 'refused', 'c'])).to.deep.equal(['a', REFUSED, 'c']);
    expect(commits.tried).to.deep.equal([['a', 'refused', 'c']]);
  });

  it('fails no request because of the data of another one', async () => {
    const commits = new MadeUpCommits();
    const names = ['a', 'b', 'c', 'bad', 'e', 'bad too', 'g'];
    const expected = names.map((name) => (name.startsWith('bad') ? BAD_DATA : name));
    expect(await commits.recordTogether(names)).to.deep.equal(expected);
    expect(commits.committed).to.deep.equal(['store a', 'store b', 'store c', 'store e', 'store g']);
  });

  it('looks for bad data by halves: one bad draft among 64 takes 13 transactions', async () => {
    const commits = new MadeUpCommits();
    await commits.recordTogether(Array.from({ length: 64 }, (_, i) => (i === 20 ? 'bad' : `${i}`)));
    expect(commits.tried).to.have.length(1 + 2 * 6);
  });

  it('tries nothing again where the connection broke, as the commit may have happened', async () => {
    const commits = new MadeUpCommits();
    expect(await commits.recordTogether(['a', 'broken', 'c'])).to.deep.equal([BROKEN, BROKEN, BROKEN]);
    expect(commits.tried).to.have.length(1);
  });

  it('does not put two stores into one transaction', async () => {
    const commits = new MadeUpCommits();
    await Promise.all(['one', 'two', 'one'].map((store, i) => commits.record(store, draft(`${i}`))));
    expect(commits.tried).to.have.deep.members([['0', '2'], ['1']]);
    expect(commits.committed).to.have.members(['one 0', 'one 2', 'two 1']);
  });

  it('has no store wait for the transaction of another one', async () => {
    const commits = new MadeUpCommits();
    const { promise, resolve } = Promise.withResolvers<void>();
    commits.held = promise;
    const slow = commits.record('one', draft('slow'));
    await turns();
    commits.held = undefined;
    await commits.record('two', draft('quick'));
    resolve();
    await slow;
    expect(commits.committed).to.deep.equal(['two quick', 'one slow']);
  });

  it('tells how many drafts wait, and for how long the oldest has', async () => {
    const commits = new MadeUpCommits();
    expect([commits.waiting, commits.lag]).to.deep.equal([0, 0]);
    const { promise, resolve } = Promise.withResolvers<void>();
    commits.held = promise;
    const answers = [commits.record('one', draft('first'))];
    await turns();
    expect([commits.waiting, commits.lag]).to.deep.equal([0, 0]);
    answers.push(commits.record('one', draft('second')), commits.record('one', draft('third')));
    const start = performance.now();
    expect(commits.waiting).to.equal(2);
    while (performance.now() - start < 2); // in one piece, so that no batch begins
    expect(commits.lag).to.be.at.least(2);
    resolve();
    await Promise.all(answers);
    expect(commits.waiting).to.equal(0);
  });

  it('refuses a draft that has waited for longer than anybody waits for the answer, and does not record it', async () => {
    const commits = new MadeUpCommits();
    const { promise, resolve } = Promise.withResolvers<void>();
    commits.held = promise;
    // Two that hang: nothing begins beside them.
    const hanging = [commits.record('one', draft('first'))];
    await turns();
    hanging.push(commits.record('one', draft('second')));
    while (commits.tried.length < 2) await new Promise((done) => setTimeout(done, 10));
    const late = commits.record('one', draft('late'));
    const refusal = late.catch((error) => error);
    await new Promise((done) => setTimeout(done, 3_600));
    const fresh = commits.record('one', draft('fresh'));
    resolve();
    expect(await refusal).to.include({ name: 'ServiceError', code: 'database_error' });
    await Promise.all([...hanging, fresh]);
    expect(commits.committed).to.have.members(['one first', 'one second', 'one fresh']);
  });
});
