import { expect } from 'chai';
import { Slots } from '../../../src/engine/slots.ts';

describe('Slots for requests', () => {
  /** Takes for endpoint after endpoint of a store, until it gets no more. Returns how many it has. */
  function takeAll(slots: Slots, storeId: string): number {
    let sum = 0;
    const reserve = () => slots.reserve(storeId, Number.POSITIVE_INFINITY);
    for (let taken = reserve(); taken > 0; taken = reserve()) sum += taken;
    return sum;
  }

  it('are not all taken by one endpoint, nor by all endpoints of one store', () => {
    const slots = new Slots(512);
    expect(slots.reserve('greedy', 100)).to.equal(64);
    expect(64 + takeAll(slots, 'greedy')).to.equal(256);
    expect(slots.reserve('other', 100)).to.equal(32);
    expect(slots.reserve('modest', 3)).to.equal(3);
  });

  it('go to a store that has none as long as there is any', () => {
    const slots = new Slots(8);
    for (const store of ['a', 'b', 'c', 'd']) expect(takeAll(slots, store), store).to.be.at.least(1);
  });

  it('can be taken again once they are free', () => {
    const slots = new Slots(16);
    slots.release('a', takeAll(slots, 'a'));
    expect(takeAll(slots, 'b')).to.equal(8);
  });
});
