import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';
import { partOfSpec } from '../support/spec-documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(ROOT, 'scripts/spec-rules/redocly.yaml');
/** Of the native spec, which breaks no rule, what the mistakes are made in: a rule reads each operation by itself. */
const PATHS = ['/v1/events', '/v1/events/bulk', '/v1/rejections'];

interface Spoilt {
  rule: string;
  what: string;
  /** Makes one mistake, given the document, an operation of it with a body, and the schemas. */
  spoil(operation: any, schemas: any, document: any): void;
}

const SPOILT: Spoilt[] = [
  {
    rule: 'footfall/guided',
    what: 'no guide',
    spoil: (_operation, _schemas, { info }) => Object.assign(info, { description: 'What it is.' }),
  },
  {
    rule: 'footfall/guided',
    what: 'a tag without a guide',
    spoil: (_operation, _schemas, { tags }) => Object.assign(tags[0], { description: 'What it is.' }),
  },
  {
    rule: 'footfall/guided',
    what: 'a relative URL of external documentation',
    spoil: (_operation, _schemas, { tags }) =>
      Object.assign(tags[0], { externalDocs: { url: '/docs/errors', description: 'Errors' } }),
  },
  {
    rule: 'footfall/servers',
    what: 'a server whose URL has a variable',
    spoil: (_operation, _schemas, { servers }) =>
      Object.assign(servers[0], {
        url: '{address}',
        variables: { address: { default: 'http://127.0.0.1:3000', description: 'Where it is.' } },
      }),
  },
  {
    rule: 'footfall/exemplified',
    what: 'a property without examples',
    spoil: (_operation, { EventInput }) => delete EventInput.properties.event_type.examples,
  },
  {
    rule: 'footfall/exemplified',
    what: 'a boolean without examples',
    spoil: (_operation, { EventInput }) => delete EventInput.properties.backfill.examples,
  },
  {
    rule: 'footfall/exemplified',
    what: 'a parameter without an example',
    spoil: (_operation, _schemas, { components }) => delete components.parameters.Limit.schema.examples,
  },
  {
    rule: 'footfall/bounded',
    what: 'an integer of a condition, unbounded',
    spoil: (_operation, { EventInput }) =>
      Object.assign(EventInput, { if: { properties: { extra: { type: 'integer', format: 'int32' } } } }),
  },
  {
    rule: 'footfall/example',
    what: 'a response without an example',
    spoil: ({ responses }) => delete responses[201].content['application/json'].examples,
  },
  {
    rule: 'footfall/example',
    what: 'a request body without an example',
    spoil: ({ requestBody }) => delete requestBody.content['application/json'].examples,
  },
  {
    rule: 'footfall/example',
    what: 'an example without a summary',
    spoil: ({ responses }) => delete responses[201].content['application/json'].examples.placedOrder.summary,
  },
  {
    rule: 'footfall/pairs',
    what: 'an example of a request without one of its answer',
    spoil: ({ responses }) => delete responses[201].content['application/json'].examples.placedOrder,
  },
  {
    rule: 'footfall/pairs',
    what: 'an example of an answer without one of its request',
    spoil: ({ requestBody }) => delete requestBody.content['application/json'].examples.placedOrder,
  },
  ...['400', '401', '403', '429', '500', '502'].map((status) => ({
    rule: 'footfall/statuses',
    what: `an operation without ${status}`,
    spoil: (_operation: any, _schemas: any, { paths }: any) => delete paths['/v1/events'].get.responses[status],
  })),
  {
    rule: 'footfall/statuses',
    what: 'a path with a parameter, and no 404',
    spoil(operation, _schemas, { paths }) {
      const schema = { type: 'string', format: 'uuid', examples: ['01a1f83b-f806-7e4e-a294-c062c525643d'] };
      const id = { name: 'id', in: 'path', required: true, description: 'An id.', schema };
      paths['/v1/throw-away/{id}'] = {
        post: { ...operation, operationId: 'throwAway', parameters: [id], responses: without404(operation.responses) },
      };
    },
  },
  ...['Records an event', 'Recording an event', 'The event', 'record an event', 'Record an event.'].map((summary) => ({
    rule: 'footfall/summary',
    what: `the summary "${summary}"`,
    spoil: (operation: any) => Object.assign(operation, { summary }),
  })),
  {
    rule: 'footfall/scope',
    what: 'a description that names another scope than the security',
    spoil: (operation) => Object.assign(operation, { security: [{ apiKey: ['profiles:read'] }] }),
  },
  {
    rule: 'footfall/scope',
    what: 'a description that names only one of two scopes',
    spoil: (operation) => Object.assign(operation, { security: [{ apiKey: ['events:write', 'profiles:read'] }] }),
  },
  {
    rule: 'footfall/scope',
    what: 'scopes that depend on the scheme',
    spoil: (operation) => Object.assign(operation, { security: [{ apiKey: ['events:write'] }, { apiKey: [] }] }),
  },
  {
    rule: 'footfall/scope',
    what: 'an operation without a scope',
    spoil: (operation) => Object.assign(operation, { security: [{ apiKey: [] }] }),
  },
  {
    rule: 'footfall/audited',
    what: 'an operation that does not say whether it is audited',
    spoil: (operation) => delete operation['x-audited'],
  },
  {
    rule: 'footfall/retrying',
    what: 'a description that does not say whether the request can be repeated',
    spoil: (operation) =>
      Object.assign(operation, { description: operation.description.replace('**Retrying:**', 'Retry:') }),
  },
  {
    rule: 'footfall/described',
    what: 'a property without a description',
    spoil: (_operation, { EventInput }) => delete EventInput.properties.event_type.description,
  },
  {
    rule: 'footfall/described',
    what: 'a parameter without a description',
    spoil: (_operation, _schemas, { components }) => delete components.parameters.Limit.description,
  },
  {
    rule: 'footfall/described',
    what: 'a request body without a description',
    spoil: ({ requestBody }) => delete requestBody.description,
  },
  ...(
    [
      ['a string', { type: 'string', examples: ['a'] }],
      ['a string that may be null', { type: ['string', 'null'], examples: ['a'] }],
      ['an array', { type: 'array', items: { type: 'boolean', examples: [true] } }],
      ['a number without a maximum', { type: 'number', minimum: 0, examples: [1] }],
      ['an integer without a minimum', { type: 'integer', format: 'int32', maximum: 9, examples: [1] }],
      ['a free-form object', { type: 'object', additionalProperties: true, examples: [{}] }],
      ['an object without properties', { type: 'object', examples: [{}] }],
      ['a schema without a type', { examples: [1] }],
    ] as const
  ).map(([what, schema]) => ({
    rule: 'footfall/bounded',
    what: `${what}, unbounded`,
    spoil: (_operation: any, { EventInput }: any) =>
      Object.assign(EventInput.properties, { extra: { description: 'More.', ...schema } }),
  })),
  {
    rule: 'footfall/open',
    what: 'a closed response',
    spoil: (_operation, { Event }) => Object.assign(Event, { additionalProperties: false }),
  },
  {
    rule: 'footfall/open',
    what: 'a closed object inside of a response',
    spoil: (_operation, { RejectedEvent }) =>
      Object.assign(RejectedEvent.properties.error, { additionalProperties: false }),
  },
  {
    rule: 'footfall/headers',
    what: 'a response without the headers that all have',
    spoil: ({ responses }) => delete responses[201].headers['RateLimit-Reset'],
  },
  {
    rule: 'footfall/headers',
    what: 'a 429 without Retry-After',
    spoil: (_operation, _schemas, { components }) =>
      delete components.responses.RateLimitExceeded.headers['Retry-After'],
  },
  {
    rule: 'footfall/headers',
    what: 'a 401 that does not say how to authenticate',
    spoil: (_operation, _schemas, { components }) => {
      delete components.responses.Unauthorized.headers['WWW-Authenticate'];
      delete components.headers.WwwAuthenticate;
    },
  },
  {
    rule: 'no-invalid-media-type-examples',
    what: 'an example that does not fit its schema',
    spoil: ({ requestBody }) => delete requestBody.content['application/json'].examples.placedOrder.value.profile,
  },
  {
    rule: 'footfall/sized',
    what: 'an integer of no size',
    spoil: (_operation, { EventBatchResult }) => delete EventBatchResult.properties.created.format,
  },
  {
    rule: 'no-unused-components',
    what: 'a schema that nothing uses',
    spoil: (_operation, schemas) => Object.assign(schemas, { Unused: { type: 'boolean' } }),
  },
];

describe('The rules for the specs', () => {
  const broken = new Map<string, Set<string>>();

  before(async () => {
    const folder = await temporaryFolder();
    try {
      const files = SPOILT.map((_, index) => join(folder.path, `${index}.json`));
      await Promise.all(files.map((file, index) => writeFile(file, JSON.stringify(spoilt(index)))));
      const lint = ['lint', `--config=${CONFIG}`, '--format=json', '--max-problems=1000'];
      const { stdout } = await new Command('redocly', [...lint, ...files]).ended;
      // One document for each file, one after the other.
      for (const { problems } of JSON.parse(`[${stdout.replaceAll('\n}{\n', '\n},{\n')}]`)) {
        for (const { ruleId, location } of problems) {
          const file = basename(location[0].source.ref);
          broken.set(file, (broken.get(file) ?? new Set()).add(ruleId));
        }
      }
    } finally {
      await folder.remove();
    }
  });

  for (const [index, { rule, what }] of SPOILT.entries()) {
    it(`refuse ${what}, by ${rule}`, () => {
      expect([...(broken.get(`${index}.json`) ?? [])]).to.deep.equal([rule]);
    });
  }
});

/** Those paths with one mistake. */
function spoilt(index: number): object {
  const document = partOfSpec('native', PATHS);
  SPOILT[index]?.spoil(document.paths['/v1/events'].post, document.components.schemas, document);
  return document;
}

function without404({ 404: _, ...others }: Record<string, unknown>): object {
  return others;
}
