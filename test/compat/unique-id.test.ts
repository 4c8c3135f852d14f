import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { profileOf, recordEvent } from './steps.ts';

describe('A unique_id', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const order = { metric: 'Placed Order', profile: { email: 'ada@example.com' }, unique_id: 'o1' };

  it('makes a repeat return the original event, whatever else the repeat says', async () => {
    const first = await recordEvent(client, { ...order, value: 10, properties: { a: 1 } });
    const repeat = await recordEvent(client, { ...order, value: 20, properties: { a: 2 }, backfill: true });
    expect(repeat).to.deep.equal(first);
    expect(
      await service.database.query(`select 1 from event where profile_id = '${profileIdOf(first)}'`),
    ).to.have.length(1);
  });

  it('makes a repeat recognisable that identifies the profile differently', async () => {
    const profile = { email: 'ada@example.com', external_id: 'c1' };
    const first = await recordEvent(client, { ...order, profile });
    const repeat = await recordEvent(client, { ...order, profile: { external_id: 'c1' } });
    expect(repeat.id).to.equal(first.id);
  });

  it('is scoped to the metric and the profile', async () => {
    const first = await recordEvent(client, order);
    const otherMetric = await recordEvent(client, { ...order, metric: 'Fulfilled Order' });
    const otherProfile = await recordEvent(client, { ...order, profile: { email: 'grace@example.com' } });
    expect(new Set([first.id, otherMetric.id, otherProfile.id])).to.have.property('size', 3);
  });

  it('keeps the profile unchanged on a repeat', async () => {
    await recordEvent(client, { ...order, profile: { ...order.profile, first_name: 'Ada' } });
    const repeat = await recordEvent(client, {
      ...order,
      profile: { ...order.profile, first_name: 'Grace', external_id: 'c1' },
    });
    expect((await profileOf(client, repeat)).attributes).to.include({ first_name: 'Ada', external_id: null });
  });

  it('records one of many concurrent repeats', async () => {
    const events = await Promise.all(Array.from({ length: 30 }, () => recordEvent(client, order)));
    expect(new Set(events.map(({ id }) => id))).to.have.property('size', 1);
  });

  it('is replaced neither by $event_id nor by an equal event', async () => {
    const fields = { ...order, unique_id: '', properties: { $event_id: 'o1' }, time: '2026-11-20T09:15:27Z' };
    const first = await recordEvent(client, fields);
    const second = await recordEvent(client, fields);
    expect(second.id).not.to.equal(first.id);
  });

  it('may be a number', async () => {
    const first = await recordEvent(client, { ...order, unique_id: 5001 });
    const repeat = await recordEvent(client, { ...order, unique_id: '5001' });
    expect(repeat).to.deep.equal(first);
    expect(first.attributes.unique_id).to.equal('5001');
  });
});

function profileIdOf(event: { relationships: { profile: { data: { id: string } } } }): string {
  return event.relationships.profile.data.id;
}
