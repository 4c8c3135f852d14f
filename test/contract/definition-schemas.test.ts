import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { specDocument } from '../support/spec-documents.ts';

const ofAttribute = (op: string, value?: unknown) => ({
  attribute: { name: 'tier', op, ...(value !== undefined && { value }) },
});
const ofEvent = (more: object) => ({ event: { type: 'order', ...more } });
const inWindow = (window: object) => ofEvent({ window });

const GOOD = [
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
];
const BAD = [
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
  inWindow({ last: '30d', time_zone: 'Europe/Berlin' }),
];

// The service's own validator leaves these rules to the domain, so that the errors name the field.
describe('The schema of a segment says what the service checks', () => {
  let service: TestService;
  let client: Client;
  let isValid: (definition: unknown) => boolean;

  before(async () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    addFormats.default(ajv as never);
    ajv.addSchema(specDocument('native') as AnySchemaObject, 'spec');
    const validate = ajv.compile({ $ref: 'spec#/components/schemas/SegmentDefinitionInput' });
    isValid = (definition) => validate(definition);
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  const create = (definition: object) => client.post('/v1/segments', { name: 'A', definition });

  for (const definition of GOOD) {
    it(`both take ${JSON.stringify(definition)}`, async () => {
      expect([isValid(definition), (await create(definition)).status]).to.deep.equal([true, 201]);
    });
  }

  for (const definition of BAD) {
    it(`both refuse ${JSON.stringify(definition)}, and the service names the field`, async () => {
      const { status, body } = await create(definition);
      expect([isValid(definition), status]).to.deep.equal([false, 400]);
      expect(body.error.field).to.match(/^definition\.(attribute|event)\./);
    });
  }
});
