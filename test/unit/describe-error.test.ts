import { expect } from 'chai';
import { describeStartError } from '../../src/command/describe-error.ts';
import { StartError } from '../../src/process/start-error.ts';

describe('A command that could not start', () => {
  it('reports the first failure, and closes everything it had opened, even if that fails too', async () => {
    const closed: string[] = [];
    const start = async () => {
      await using opened = new AsyncDisposableStack();
      opened.defer(() => void closed.push('database'));
      opened.defer(() => {
        throw new Error('The pool does not close');
      });
      opened.defer(async () => {
        closed.push('redis');
        throw new Error('Redis does not close');
      });
      throw new StartError('There is no Redis at REDIS_URL');
    };
    const failure = await start().catch((error) => error);
    expect(describeStartError(failure)).to.equal('There is no Redis at REDIS_URL');
    expect(closed).to.deep.equal(['redis', 'database']);
  });
});
