import { expect } from 'chai';
import type { Condition } from '../../src/domain/conditions/condition.ts';
import { requiredValue } from '../../src/domain/conditions/required-value.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const property = (op: 'eq' | 'in' | 'gt', value: unknown, name: string | string[] = 'value') =>
  ({ property: name, op, value }) as Condition;

describe('Filters on the value of a property', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  const publish = (filter: Condition, event_type = 'came') =>
    room.publish({
      trigger: { type: 'event', event_type, filter },
      reentry: { mode: 'every_time', per: 'profile' },
      steps: [{ id: 'first', type: 'delay', for: 'P1D', next: null }],
    });

  it('let the same events pass, however their values are written', async () => {
    const filters: [Condition, number][] = [
      [property('eq', 5), 3],
      [property('eq', '5'), 1],
      [property('eq', 0), 2],
      [property('eq', true), 1],
      [property('eq', 'true'), 1],
      [property('eq', 59.9), 1],
      [property('eq', 1e21), 1],
      [property('in', [5, 'ü"\\', false]), 5],
      [property('eq', 'ü"\\', ['value']), 1],
      [property('eq', 'x', ['value', 'kind']), 1],
      [{ all: [property('gt', 1), property('in', [5, 0])] }, 3],
      [{ any: [property('eq', 5), property('eq', '5')] }, 4],
      [{ not: property('eq', 5) }, 12],
    ];
    const ids: string[] = [];
    for (const [filter] of filters) ids.push(await publish(filter));
    const values =
      '5 5.0 0.5e1 "5" 0 -0 true "true" false 59.90 1000000000000000000000 "\\u00fc\\"\\\\" {"kind":"x"} [5] null'
        .split(' ')
        .map((value) => `{"event_type":"came","profile":{"email":"ada@example.com"},"properties":{"value":${value}}}`);
    const headers = { 'Content-Type': 'application/json' };
    await room.client.send('POST', '/v1/events/bulk', `{"events":[${values.join()}]}`, { headers, expect: 201 });
    await room.read();
    const started = await Promise.all(ids.map(async (id) => (await room.runs(id)).length));
    expect(started).to.deep.equal(filters.map(([, count]) => count));
  });

  it('are looked at before events are loaded where a property has to be one of a few values', () => {
    expect(requiredValue(property('eq', 5))).to.deep.equal({ property: 'value', texts: ['5'], orNumber: true });
    expect(requiredValue({ all: [property('gt', 1), property('in', ['a', true])] })).to.deep.equal({
      property: 'value',
      texts: ['a', 'true'],
      orNumber: false,
    });
    for (const other of [
      property('gt', 5),
      property('eq', 1e21),
      property('eq', 'x', ['cart', 'kind']),
      { any: [property('eq', 5)] },
      { not: property('eq', 5) },
      { all: [] },
    ] as Condition[]) {
      expect(requiredValue(other)).to.equal(undefined);
    }
  });

  it('of many properties and types, some without any, start all runs that they should', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const ids: string[] = [];
    for (const name of names) ids.push(await publish(property('eq', 1, name), `came ${name}`));
    for (const name of names) {
      for (const value of [1, 2]) await room.send(`came ${name}`, 'ada@example.com', { [name]: value });
    }
    await room.read();
    for (const id of ids) expect(await room.runs(id)).to.have.length(1);
  });
});
