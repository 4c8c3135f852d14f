import { expect } from 'chai';
import { breakingChanges } from '../../scripts/breaking/documents.ts';
import { partOfSpec, specDocument } from '../support/spec-documents.ts';

/** Of the native spec, what the changes are made in: each operation is compared by itself. */
const PATHS = ['/v1/events', '/v1/events/bulk'];
const POST = 'POST /v1/events';

const NATIVE = partOfSpec('native', PATHS);

type Change = (operation: any, schemas: any, document: any) => unknown;

/** Those paths after a change. */
function changed(change: Change): any {
  const document = partOfSpec('native', PATHS);
  change(document.paths['/v1/events'].post, document.components.schemas, document);
  return document;
}

const parameter = (more: object) => ({ name: 'dry_run', in: 'query', schema: { type: 'boolean' }, ...more });

describe('Changes that break clients', () => {
  const BREAKING: Record<string, Change> = {
    [`${POST}: the operation is gone`]: (_operation, _schemas, { paths }) => delete paths['/v1/events'].post,
    [`${POST}: it is no longer called createEvent`]: (operation) => Object.assign(operation, { operationId: 'create' }),
    [`${POST}: apiKey events:write no longer suffices`]: (operation) =>
      operation.security[0].apiKey.push('profiles:write'),
    [`${POST}: parameter dry_run is required`]: (operation) => operation.parameters.push(parameter({ required: true })),
    [`${POST}: currency is required`]: (_operation, { EventInput }) => {
      EventInput.properties.currency = { type: 'string', maxLength: 3 };
      EventInput.required.push('currency');
    },
    [`${POST}: occurred_at is gone`]: (_operation, { EventInput }) => delete EventInput.properties.occurred_at,
    [`${POST}: event_type has maxLength 64`]: (_operation, { EventInput }) =>
      Object.assign(EventInput.properties.event_type, { maxLength: 64 }),
    [`${POST}: event_type has minLength 2`]: (_operation, { EventInput }) =>
      Object.assign(EventInput.properties.event_type, { minLength: 2 }),
    [`${POST}: event_type has pattern ^[a-z_]+$`]: (_operation, { EventInput }) =>
      Object.assign(EventInput.properties.event_type, { pattern: '^[a-z_]+$' }),
    [`${POST}: event_type may no longer be string`]: (_operation, { EventInput }) =>
      Object.assign(EventInput.properties, { event_type: { type: 'integer', minimum: 1, maximum: 9 } }),
    [`${POST}: event_type may no longer be any other value`]: (_operation, { EventInput }) =>
      Object.assign(EventInput.properties.event_type, { enum: ['placed_order'] }),
    'POST /v1/events/bulk: on_invalid may no longer be skip': (_operation, { EventBatch }) =>
      EventBatch.properties.on_invalid.enum.pop(),
    'POST /v1/events/bulk: events[].properties has maxProperties 10': (_operation, { EventInput }) =>
      Object.assign(EventInput.properties, {
        properties: { type: 'object', additionalProperties: true, maxProperties: 10 },
      }),
    [`${POST}: response 201: is gone`]: ({ responses }) => delete responses[201],
    [`${POST}: response 201: header Idempotency-Replayed is gone`]: ({ responses }) =>
      delete responses[201].headers['Idempotency-Replayed'],
    [`${POST}: response 201: header X-Request-Id may be absent`]: ({ responses }) =>
      Object.assign(responses[201].headers, { 'X-Request-Id': { schema: { type: 'string', format: 'uuid' } } }),
    [`${POST}: response 201: application/json is gone`]: ({ responses }) =>
      Object.assign(responses[201], { content: {} }),
    [`${POST}: response 201: received_at is gone`]: (_operation, { Event }) => delete Event.properties.received_at,
    [`${POST}: response 201: received_at may be absent`]: (_operation, { Event }) => Event.required.pop(),
    [`${POST}: response 201: event_type may be null`]: (_operation, { Event }) =>
      Object.assign(Event.properties.event_type, { type: ['string', 'null'] }),
    [`${POST}: response 201: id is no uuid`]: (_operation, { Event }) => delete Event.properties.id.format,
    [`${POST}: response 400: error.code may be gone_fishing`]: (_operation, { ErrorDetails }) =>
      ErrorDetails.properties.code.enum.push('gone_fishing'),
    'POST /v1/events/bulk: response 201: events[] has other alternatives': (_operation, { RecordedEvent }) =>
      RecordedEvent.properties.status.enum.push('merged'),
  };
  for (const [line, change] of Object.entries(BREAKING)) {
    it(`are found: ${line}`, () => {
      expect(breakingChanges(NATIVE, changed(change))).to.include(line);
    });
  }

  it('are found where a parameter goes, or takes less than it did', () => {
    const before = changed((operation) => Object.assign(operation, { parameters: [parameter({})] }));
    const narrower = changed((operation) =>
      Object.assign(operation, { parameters: [parameter({ schema: { type: 'boolean', const: true } })] }),
    );
    expect(breakingChanges(before, NATIVE)).to.deep.equal([`${POST}: parameter dry_run is gone`]);
    expect(breakingChanges(before, narrower)).to.deep.equal([
      `${POST}: parameter dry_run may no longer be any other value`,
    ]);
  });

  const HARMLESS: Record<string, Change> = {
    'nothing at all': () => {},
    'another description': (operation) => Object.assign(operation, { description: 'Records it.' }),
    'a new operation': (operation, _schemas, { paths }) => Object.assign(paths, { '/v1/news': { get: operation } }),
    'a new optional parameter': (operation) => operation.parameters.push(parameter({})),
    'a new optional property of a request': (_operation, { EventInput }) =>
      Object.assign(EventInput.properties, { source: { type: 'string', maxLength: 64 } }),
    'a wider bound of a request': (_operation, { EventInput }) =>
      Object.assign(EventInput.properties.event_type, { maxLength: 256 }),
    'another value that a request may have': (_operation, { EventBatch }) =>
      EventBatch.properties.on_invalid.enum.push('report'),
    'a new property of a response': (_operation, { Event }) =>
      Object.assign(Event.properties, { source: { type: 'string', maxLength: 64 } }),
    'another way to be authorised': (operation) => operation.security.push({ apiKey: ['events:read'] }),
  };
  it('are not found between the whole of a spec and itself', () => {
    expect(breakingChanges(specDocument('native'), specDocument('native'))).to.deep.equal([]);
  });

  for (const [what, change] of Object.entries(HARMLESS)) {
    it(`are not ${what}`, () => {
      expect(breakingChanges(NATIVE, changed(change))).to.deep.equal([]);
    });
  }
});
