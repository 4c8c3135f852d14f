import { expect } from 'chai';
import { DisposableGroup } from '../../src/concurrency/disposable-group.ts';
import { rejectionOf, stateOf } from '../support/turns.ts';

describe('A group of what is to end', () => {
  it('ends all of it at the same time, and then is over', async () => {
    const ended: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const group = new DisposableGroup();
    group.defer(() => promise.then(() => ended.push('slow')));
    group.defer(async () => ended.push('fast'));
    const over = group[Symbol.asyncDispose]();
    expect(await stateOf(over)).to.equal('pending');
    expect(ended).to.deep.equal(['fast']);
    resolve();
    await over;
    expect(ended).to.deep.equal(['fast', 'slow']);
  });

  it('ends the rest of it where one fails, and then says so', async () => {
    const ended: string[] = [];
    const group = new DisposableGroup();
    group.defer(() => {
      throw new Error('stuck');
    });
    group.defer(async () => ended.push('other'));
    expect(await rejectionOf(group[Symbol.asyncDispose]())).to.include({ message: 'stuck' });
    expect(ended).to.deep.equal(['other']);
  });
});
