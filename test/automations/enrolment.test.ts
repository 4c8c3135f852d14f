import { expect } from 'chai';
import type { Definition } from '../../src/domain/automations/core/definition/definition.ts';
import { SCOPES } from '../../src/domain/caller.ts';
import { Client } from '../support/client.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const MANUAL: Partial<Definition> = {
  trigger: { type: 'manual' },
  key: { property: 'topic' },
  reentry: { mode: 'one_at_a_time', per: 'key' },
  entry_condition: { attribute: 'blocked', op: 'not_exists' },
  steps: [
    { id: 'first', type: 'delay', for: 'PT1H', next: 'mark' },
    { id: 'mark', type: 'set_profile', set: { called_about: { from: 'event.properties.topic' } }, next: null },
  ],
};
const ADA = { profile: { email: 'ada@example.com' }, properties: { topic: 'delivery' } };

describe('POST /v1/automations/{id}/runs', () => {
  let room: EngineRoom;
  let id: string;
  let ada: string;

  useRooms(async (one) => {
    room = one;
    id = await room.publish(MANUAL);
    ada = await room.upsert('ada@example.com', {});
  });

  const enrol = async (body: object, status = 201, of = id): Promise<any> =>
    (await room.client.post(`/v1/automations/${of}/runs`, body, { expect: status })).body;

  it('starts a run, which takes its steps with the properties that were sent', async () => {
    const { run, skipped } = await enrol(ADA);
    expect(skipped).to.equal(null);
    expect(run).to.include({ automation_id: id, profile_id: ada, key: 'delivery', status: 'active', step_id: 'first' });
    expect(run.trigger).to.include({ type: 'manual', event_id: null });
    await room.settle();
    room.pass('PT1H');
    await room.settle();
    const { body } = await room.client.get(`/v1/profiles/${ada}`);
    expect(body.attributes).to.deep.equal({ called_about: 'delivery' });
  });

  it('starts one run for each idempotency key, and answers what it answered', async () => {
    const request = { ...ADA, idempotency_key: 'one' };
    const first = await enrol(request);
    const path = `/v1/automations/${id}/runs`;
    const again = () => room.client.post(path, request, { expect: 201 });
    expect((await again()).body).to.deep.equal(first);
    await room.client.post(`/v1/runs/${first.run.id}/exit`, undefined, { expect: 200 });
    await room.setStatus(id, 'paused');
    const { body, headers } = await again();
    expect([body, headers['idempotency-replayed']]).to.deep.equal([first, 'true']);
    expect(await room.runs(id)).to.have.length(1);
  });

  it('says why no run starts', async () => {
    const { run } = await enrol(ADA);
    const again = await enrol(ADA, 200);
    expect(again.run).to.equal(null);
    const taken = { reason: 'reentry', detail: { condition: null, run_id: run.id, free_at: null } };
    expect(again.skipped).to.deep.equal(taken);
    expect((await enrol({ profile: ADA.profile }, 200)).skipped).to.deep.equal({ reason: 'no_key', detail: null });
    await room.upsert('ada@example.com', { blocked: 'yes' });
    const { skipped } = await enrol({ ...ADA, properties: { topic: 'refund' } }, 200);
    const condition = { path: '', condition: { attribute: 'blocked', op: 'not_exists' }, saw: 'yes' };
    expect(skipped).to.deep.equal({ reason: 'entry_condition', detail: { condition, run_id: null, free_at: null } });
  });

  it('finds the customer by any identifier, the strongest first', async () => {
    await room.client.post('/v1/profiles/upsert', { identifiers: { external_id: 'grace' } }, { expect: 201 });
    const { run } = await enrol({ ...ADA, profile: { external_id: 'grace', email: 'ADA@example.com ' } });
    expect(run.profile_id).not.to.equal(ada);
    const { run: other } = await enrol({ ...ADA, profile: { external_id: 'nobody', email: 'ADA@example.com ' } });
    expect(other.profile_id).to.equal(ada);
  });

  it('refuses a customer whom the store does not know, and creates none', async () => {
    const { error } = await enrol({ ...ADA, profile: { email: 'stranger@example.com' } }, 400);
    expect(error).to.include({ field: 'profile', code: 'validation_error' });
    const { body } = await room.client.get('/v1/profiles?email=stranger@example.com');
    expect(body.profiles).to.have.length(0);
  });

  it('refuses a key that has enrolled another customer, or for another reason', async () => {
    await room.upsert('grace@example.com', {});
    await enrol({ ...ADA, idempotency_key: 'one' });
    for (const other of [
      { profile: { email: 'grace@example.com' } },
      { profile: { email: 'stranger@example.com' } },
      { properties: { topic: 'other' } },
    ]) {
      const { error } = await enrol({ ...ADA, ...other, idempotency_key: 'one' }, 400);
      expect(error.field).to.equal('idempotency_key');
    }
  });

  it('refuses an automation that is not live, or that something else triggers', async () => {
    for (const status of ['paused', 'draining', 'archived'] as const) {
      await room.setStatus(id, status);
      const { error } = await enrol(ADA, 400);
      expect(error).to.deep.include({ field: null, message: 'The automation must be live and have a manual trigger' });
    }
    const other = await room.publish({
      trigger: { type: 'event', event_type: 'came' },
      steps: [{ id: 'first', type: 'exit' }],
    });
    await enrol(ADA, 400, other);
    expect(await room.runs(other)).to.have.length(0);
    expect(await room.skips(id)).to.deep.equal([]);
  });

  it('refuses an automation that the store does not have, and what is not of the right shape', async () => {
    const stranger = await room.newStore();
    const { status } = await stranger.client.post(`/v1/automations/${id}/runs`, ADA);
    expect(status).to.equal(404);
    await enrol(ADA, 404, UNKNOWN_ID);
    const refused: [string | null, object][] = [
      ['profile', {}],
      ['profile', { profile: {} }],
      ['proprties', { ...ADA, proprties: {} }],
      ['idempotency_key', { ...ADA, idempotency_key: '' }],
      ['idempotency_key', { ...ADA, idempotency_key: 'x'.repeat(256) }],
      ['idempotency_key', { ...ADA, idempotency_key: 'a\0b' }],
      ['properties.deep', { ...ADA, properties: { deep: 'a\0b' } }],
    ];
    for (const [field, body] of refused) expect((await enrol(body, 400)).error.field).to.equal(field);
    await enrol({ ...ADA, properties: { text: 'x'.repeat(64 * 1024) } }, 400);
  });

  it('needs the scopes of what the steps do', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'profiles:write');
    const { key } = await room.service.newKey({ storeId: room.storeId, scopes });
    const client = new Client(room.service.url, key);
    const { body } = await client.post(`/v1/automations/${id}/runs`, ADA, { expect: 403 });
    expect(body.error.message).to.include('profiles:write');
    expect(await room.runs(id)).to.have.length(0);
    const harmless = await room.publish({ trigger: { type: 'manual' }, steps: [{ id: 'first', type: 'exit' }] });
    await client.post(`/v1/automations/${harmless}/runs`, ADA, { expect: 201 });
  });
});
