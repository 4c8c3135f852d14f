import { expect } from 'chai';
import { freeNow } from '../../src/process/free-now.ts';

describe('bytes to be freed', () => {
  it('are gone if the buffer is theirs', () => {
    const bytes = new Uint8Array(1_000_000);
    freeNow(bytes);
    expect(bytes.buffer.detached).to.equal(true);
  });

  it('stay if they are a part of a buffer that others use', () => {
    const bytes = Buffer.from(new Uint8Array([1, 2, 3]).buffer, 1);
    freeNow(bytes);
    expect([...bytes]).to.deep.equal([2, 3]);
  });
});
