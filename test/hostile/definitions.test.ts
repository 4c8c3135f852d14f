import { expect } from 'chai';
import { DRAFT } from '../automations/support/drafts.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { MALFORMED, MISSHAPEN, UNPUBLISHABLE, UNSTORABLE_JSON, UNSTORABLE_NAMES } from './corpus/definitions.ts';
import { checkResponse, expectHealth } from './judge.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const COMPARED = { entry_condition: { attribute: 'tier', op: 'eq', value: 'MARK' } };
const SET = { start: 'set', steps: [{ id: 'set', type: 'set_profile', set: { a: ['MARK'] }, next: null }] };
const NAMED = { start: 'set', steps: [{ id: 'set', type: 'set_profile', set: { MARK: 1 }, next: null }] };
const NAMED_WITHIN = { start: 'set', steps: [{ id: 'set', type: 'set_profile', set: { a: { MARK: 1 } }, next: null }] };

describe('Hostile definitions of automations', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.startInThread({
      AUTOMATION_CONCURRENCY: '0',
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
    });
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(async () => {
    await expectHealth(service);
    await service.stop();
  });

  const sendText = (what: string, text: string) =>
    checkResponse(what, () => client.send<any>('POST', '/v1/automations', text, { headers: JSON_TYPE }));
  const send = (what: string, fields: object) =>
    sendText(what, JSON.stringify({ definition: { ...DRAFT, ...fields } }));

  for (const [what, [fields, field]] of Object.entries({ ...MISSHAPEN, ...MALFORMED })) {
    it(`are not stored with ${what}`, async () => {
      const { status, body } = await send(what, fields);
      expect([status, body.error?.field]).to.deep.equal([400, `definition.${field}`]);
    });
  }

  for (const [what, fields] of Object.entries({ COMPARED, SET })) {
    for (const json of UNSTORABLE_JSON) {
      it(`are not stored with ${json} in ${what.toLowerCase()} values`, async () => {
        const { status, body } = await sendText(
          json,
          JSON.stringify({ definition: { ...DRAFT, ...fields } }).replace('"MARK"', json),
        );
        const field = fields === COMPARED ? 'definition.entry_condition.value' : 'definition.steps[0].set.a[0]';
        expect([status, body.error.field]).to.deep.equal([400, field]);
      });
    }
  }

  for (const json of UNSTORABLE_NAMES) {
    it(`are not stored with ${json} as a name`, async () => {
      for (const fields of [NAMED, NAMED_WITHIN]) {
        const { status, body } = await sendText(
          json,
          JSON.stringify({ definition: { ...DRAFT, ...fields } }).replace('"MARK"', json),
        );
        expect([status, body.error?.code], JSON.stringify(body)).to.deep.equal([400, 'validation_error']);
        expect(body.error.field).to.match(/^definition\.steps\[0\]\.set\./);
      }
    });
  }

  for (const [what, [fields, field]] of Object.entries(UNPUBLISHABLE)) {
    it(`are not published with ${what}`, async () => {
      const { status, body } = await send(what, fields);
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(body.problems[0]).to.include({ field });
      const refused = await checkResponse(what, () =>
        client.post(`/v1/automations/${body.id}/publish`, { revision: 1 }),
      );
      const { message } = body.problems[0];
      expect(refused.status).to.equal(400);
      expect(refused.body.error).to.include({ code: 'validation_error', field, message });
    });
  }
});
