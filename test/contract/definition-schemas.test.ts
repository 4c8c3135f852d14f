import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { DRAFT } from '../automations/support/drafts.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { specDocument } from '../support/spec-documents.ts';

const ofAttribute = (op: string, value?: unknown) => ({
  attribute: { name: 'tier', op, ...(value !== undefined && { value }) },
});
const ofEvent = (more: object) => ({ event: { type: 'order', ...more } });
const inWindow = (window: object) => ofEvent({ window });

const GOOD_SEGMENTS = [
  ofAttribute('exists'),
  ofAttribute('eq', 'gold'),
  ofAttribute('contains', 1),
  ofAttribute('neq', false),
  ofAttribute('in', ['gold']),
  ofAttribute('gte', 3),
  ofAttribute('starts_with', 'g'),
  ofEvent({ where: [{ property: 'value', op: 'gt', value: 3 }] }),
  ofEvent({ op: 'gte', value: 3 }),
  ofEvent({ measure: 'count' }),
  ofEvent({ measure: 'sum', property: 'value', op: 'gt', value: 100 }),
  inWindow({ last: '30d', calendar: true, time_zone: 'Europe/Berlin' }),
  inWindow({ last: '36h' }),
  inWindow({ last: 'P1DT12H' }),
  inWindow({ last: 'P2W', calendar: true }),
];
const BAD_SEGMENTS = [
  ofAttribute('exists', 'gold'),
  ofAttribute('eq'),
  ofAttribute('eq', ['gold']),
  ofAttribute('in', 'gold'),
  ofAttribute('not_in', []),
  ofAttribute('lt', '3'),
  ofAttribute('starts_with', 3),
  ofEvent({ where: [{ property: 'value', op: 'not_exists', value: 3 }] }),
  ofEvent({ op: 'gte' }),
  ofEvent({ value: 3 }),
  ofEvent({ measure: 'sum', property: 'value' }),
  ofEvent({ measure: 'sum', op: 'gt', value: 100 }),
  ofEvent({ property: 'value' }),
  inWindow({ last: '7 days' }),
  inWindow({ last: '36h', calendar: true }),
  inWindow({ last: 'PT48H', calendar: true }),
  inWindow({ last: 'P' }),
  inWindow({ last: '30d', time_zone: 'Europe/Berlin' }),
];

const withStep = (step: object) => ({ ...DRAFT, start: 'first', steps: [{ id: 'first', next: null, ...step }] });
const delayed = (step: object) => withStep({ type: 'delay', ...step });
const entering = (entry_condition: object) => ({ ...DRAFT, entry_condition });
const compared = (op: string, value?: unknown) =>
  entering({ attribute: 'tier', op, ...(value !== undefined && { value }) });
const withTrigger = (trigger: object) => ({ ...DRAFT, trigger });
const birthday = (more: object) =>
  withTrigger({ type: 'date', attribute: 'birthday', repeat: 'yearly', at: '09:00', ...more });
const changed = (to: object) => withTrigger({ type: 'profile_change', attribute: 'tier', to });

const GOOD_AUTOMATIONS = [
  delayed({ for: 'P1DT12H' }),
  delayed({ for: '' }),
  delayed({ for: 'PT0S' }),
  delayed({ until: { at: '', weekdays: ['mon'] } }),
  compared('exists'),
  compared('eq', ''),
  compared('gt', 3),
  compared('in', []),
  compared('before', '2026-11-20'),
  compared('before', ''),
  compared('starts_with', 'g'),
  compared('ends_with', 'g'),
  entering({ identifier: 'email', op: 'in', value: ['ada@example.com'] }),
  entering({ did: { event_type: 'visit', within: 'P2W' } }),
  birthday({ offset: '-P7D' }),
  { ...DRAFT, reentry: { mode: 'restart', per: 'profile', min_interval: null } },
];
const BAD_AUTOMATIONS = {
  'steps[0].nxet': withStep({ type: 'exit', next: undefined, nxet: null }),
  'steps[0].type': withStep({ type: 'send_push' }),
  'steps[0].await': withStep({ type: 'send_email', template_id: 'x', await: true }),
  'steps[0].for': delayed({ for: '7 days' }),
  'steps[0].until.at': delayed({ until: { at: '9 am' } }),
  'steps[0].until.weekdays[0]': delayed({ until: { at: '09:00', weekdays: ['funday'] } }),
  'steps[0].timeout': withStep({ type: 'wait', next: undefined, for: [], timeout: 'PT', on_timeout: null }),
  'steps[0].expires_after': withStep({
    type: 'send_webhook',
    endpoint_id: '01a1f852-3c10-7a42-9d7e-5b8f10c6e2d4',
    message_type: 'hello',
    expires_after: '12h',
  }),
  'trigger.type': withTrigger({ type: 'weather' }),
  'trigger.to.value': changed({ op: 'in', value: 'gold' }),
  'trigger.at': birthday({ at: '24:00' }),
  'trigger.offset': birthday({ offset: '-1W' }),
  'reentry.min_interval': { ...DRAFT, reentry: { mode: 'restart', per: 'profile', min_interval: '1 day' } },
  // biome-ignore lint/suspicious/noThenProperty: it is a field of the API
  'quiet_hours.from': { ...DRAFT, quiet_hours: { from: 'late', to: '08:00', then: 'wait' } },
  'entry_condition.value': compared('exists', 'gold'),
  'entry_condition.any[0].not.value': entering({ any: [{ not: { attribute: 'tier', op: 'eq' } }] }),
  'entry_condition.all[0].value': entering({ all: [{ property: 'value', op: 'lt', value: '3' }] }),
  'entry_condition.all[0].wether': entering({ all: [{ attribute: 'tier', op: 'exists', wether: true }] }),
  'entry_condition.not.value': entering({ not: { identifier: 'email', op: 'eq', value: 3 } }),
  'entry_condition.op': entering({ identifier: 'email', op: 'gt', value: 3 }),
  'entry_condition.did.within': entering({ did: { event_type: 'visit', within: 'P1M' } }),
};

// The service's own validator leaves many of these rules to the domain, so that the errors name the field.
describe('The schema of definitions says what the service checks', () => {
  let service: TestService;
  let client: Client;
  let validate: (schema: string, definition: object) => boolean;

  before(async () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv as never);
    ajv.addSchema(specDocument('native') as AnySchemaObject, 'spec');
    validate = (schema, definition) => ajv.validate({ $ref: `spec#/components/schemas/${schema}` }, definition);
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  describe('of segments', () => {
    const isValid = (definition: object) => validate('SegmentDefinitionInput', definition);
    const create = (definition: object) => client.post('/v1/segments', { name: 'A', definition });

    for (const definition of GOOD_SEGMENTS) {
      it(`both take ${JSON.stringify(definition)}`, async () => {
        expect([isValid(definition), (await create(definition)).status]).to.deep.equal([true, 201]);
      });
    }

    for (const definition of BAD_SEGMENTS) {
      it(`both refuse ${JSON.stringify(definition)}, and the service names the field`, async () => {
        const { status, body } = await create(definition);
        expect([isValid(definition), status]).to.deep.equal([false, 400]);
        expect(body.error.field).to.match(/^definition\.(attribute|event)\./);
      });
    }
  });

  describe('of automations', () => {
    const isValid = (definition: object) =>
      validate('AutomationDefinitionInput', JSON.parse(JSON.stringify(definition)));
    const create = (definition: object) => client.post('/v1/automations', { definition });

    for (const { name: _, ...definition } of GOOD_AUTOMATIONS) {
      it(`both take ${JSON.stringify(definition)}`, async () => {
        const whole = { name: 'A', ...definition };
        expect([isValid(whole), (await create(whole)).status]).to.deep.equal([true, 201]);
      });
    }

    for (const [field, definition] of Object.entries(BAD_AUTOMATIONS)) {
      it(`both refuse what is wrong in ${field}, which the service names alone`, async () => {
        const { status, body } = await create(definition);
        expect([isValid(definition), status]).to.deep.equal([false, 400]);
        expect(body.error.field).to.equal(`definition.${field}`);
        expect(body.error.message).to.match(/^[^;]+$/);
      });
    }

    it('both say when a draft is changed', async () => {
      const { body } = await create(DRAFT);
      const change = JSON.stringify({ revision: 1, definition: delayed({ for: 'soon' }) });
      const options = { headers: { 'Content-Type': 'application/json' }, expect: 400 };
      const refused = await client.send('PUT', `/v1/automations/${body.id}`, change, options);
      expect((refused.body as any).error).to.deep.include({
        field: 'definition.steps[0].for',
        message:
          'definition.steps[0].for must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as P1DT12H',
      });
    });
  });
});
