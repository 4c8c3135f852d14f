import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { begunStream } from '../../src/http/begun-stream.ts';

const SIZE = 100_000;

describe('A stream that has begun', () => {
  const never = new AbortController().signal;

  function pieces(count: number) {
    const made = { count: 0, isOver: false };
    async function* make() {
      try {
        for (; made.count < count; made.count += 1) yield Buffer.alloc(SIZE);
      } finally {
        made.isOver = true;
      }
    }
    return { made, all: make() };
  }

  it('has all pieces, however slowly they are made', async () => {
    async function* slowly() {
      for (let n = 0; n < 3; n += 1) {
        await sleep(30);
        yield Buffer.alloc(SIZE);
      }
    }
    let bytes = 0;
    for await (const chunk of await begunStream(slowly(), never, { ms: 20, bytesPerMs: 1e9 })) bytes += chunk.length;
    expect(bytes).to.equal(3 * SIZE);
  });

  it('breaks where nobody reads on, and ends what makes the pieces', async () => {
    const { made, all } = pieces(100);
    const stream = await begunStream(all, never, { ms: 20, bytesPerMs: 1e9 });
    // One read asks for more than is taken.
    stream.once('readable', () => stream.read(1));
    const error = await new Promise<Error>((resolve) => stream.once('error', resolve));
    expect(error.message).to.equal('A client has not read a response in time');
    await sleep(10);
    expect(made.isOver).to.equal(true);
    expect(made.count).to.be.lessThan(5);
  });

  it('ends what makes the pieces if it is destroyed before it is read', async () => {
    const { made, all } = pieces(3);
    (await begunStream(all, never)).destroy();
    await sleep(10);
    expect(made.isOver).to.equal(true);
  });
});
