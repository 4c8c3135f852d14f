import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { eventDocument, profileDocument } from '../compat/documents.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { specDocument } from '../support/spec-documents.ts';

/** What a spec says of a body, to those who know nothing but JSON Schema. */
function validator(surface: 'native' | 'compat', schema: string): (body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv as never);
  ajv.addSchema(specDocument(surface) as AnySchemaObject, 'spec');
  const validate = ajv.compile({ $ref: `spec#/components/schemas/${schema}` });
  // As it is sent: without what is undefined.
  return (body) => validate(JSON.parse(JSON.stringify(body)));
}

const MALFORMED = 'not a number';
const UNIDENTIFIED = [
  {},
  { first_name: 'Ada' },
  { email: null, anonymous_id: null },
  { email: '', external_id: ' ', phone_number: '', anonymous_id: '\t' },
  { _kx: 'x' },
  { phone_number: MALFORMED },
  { phone_number: 1234 },
  { email: MALFORMED },
  { email: MALFORMED, phone_number: MALFORMED },
  { beside: { attributes: null } },
  { beside: { attributes: undefined } },
  { beside: { id: null } },
  { beside: { id: '' } },
];
const IDENTIFIED = [
  { email: 'ada@example.com' },
  { phone_number: '+44 20 7946 0958' },
  { external_id: 'cust_1001' },
  { external_id: 0 },
  { phone_number: 442079460958 },
  { anonymous_id: 7 },
  { anonymous_id: 'visitor' },
  { _kx: 'x', email: 'ada@example.com', external_id: null },
];

describe('Requests that are valid by the published schemas alone', () => {
  let service: TestService;
  let client: Client;
  let id: string;

  before(async () => {
    service = await TestService.start({ COMPAT_LISTS: 'true' });
    client = await service.client();
    const { body } = await client.post('/compat/v1/profiles', profileDocument({ external_id: 'known' }), {
      expect: 201,
    });
    id = body.data.id;
  });
  after(() => service.stop());

  /** Expects of each body that it is taken where the schema says so, and refused where it does not. */
  async function agree(path: string, isValid: (body: unknown) => boolean, bodies: object[], taken: boolean) {
    for (const body of bodies) {
      const { status } = await client.post(path, body);
      const text = JSON.stringify(body);
      expect([text, isValid(body), status < 300]).to.deep.equal([text, taken, taken]);
    }
  }

  it('identify the customer: profiles of the compatibility surface', async () => {
    const isValid = validator('compat', 'ProfileCreate');
    const byId = [{ beside: { id, attributes: null } }, { beside: { id: id.toUpperCase() } }];
    await agree('/compat/v1/profiles', isValid, UNIDENTIFIED.map(profileDocument), false);
    await agree('/compat/v1/profiles', isValid, [...IDENTIFIED, ...byId].map(profileDocument), true);
  });

  it('identify the customer: events of the compatibility surface', async () => {
    const isValid = validator('compat', 'EventCreate');
    const eventOf = (profile: object) => eventDocument({ metric: 'Visit', profile: { ...profile } });
    const lenient = [
      { phone_number: MALFORMED, email: 'ada@example.com' },
      { email: MALFORMED, phone_number: 12, external_id: 'cust_1001' },
      { beside: { id } },
    ];
    await agree('/compat/v1/events', isValid, UNIDENTIFIED.map(eventOf), false);
    await agree('/compat/v1/events', isValid, [...IDENTIFIED, ...lenient].map(eventOf), true);
  });

  it('identify the customer: the native surface', async () => {
    const isValid = validator('native', 'ProfileInput');
    const identifiers = (of: object) => ({ identifiers: of });
    await agree('/v1/profiles/upsert', isValid, [{}, { name: 'x' }, { phone: MALFORMED }].map(identifiers), false);
    await agree('/v1/profiles/upsert', isValid, [{ email: 'a@b.c' }, { phone: '12345' }].map(identifiers), true);
  });

  it('have a value that is a number', async () => {
    const isValid = validator('compat', 'EventCreate');
    const valued = (value: unknown) => eventDocument({ metric: 'Visit', profile: { external_id: 'c' }, value });
    await agree('/compat/v1/events', isValid, ['x', '1,5', '.5', '5.', '+1', '0x1', '1e', '१'].map(valued), false);
    await agree(
      '/compat/v1/events',
      isValid,
      [1.5, '1.5', '-2', ' 3 ', '1e3', '2E-1', '', ' ', null].map(valued),
      true,
    );
  });

  it('add addresses to a profile that are addresses', async () => {
    const isValid = validator('compat', 'ProfileCreate');
    const adding = (email: unknown) =>
      profileDocument({ external_id: 'c', meta: { patch_identifiers: { append: { email } } } });
    await agree('/compat/v1/profiles', isValid, ['nobody', ['a@b.c', '@']].map(adding), false);
    await agree('/compat/v1/profiles', isValid, ['z@b.c', ['y@b.c', 'x@b.c'], [], null].map(adding), true);
  });
});
