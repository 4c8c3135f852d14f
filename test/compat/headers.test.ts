import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { eventDocument, eventJobDocument, profileDocument, profileJobDocument } from './documents.ts';
import { expectRefusal } from './steps.ts';

const profile = { email: 'ada@example.com' };
const OPERATIONS = [
  ['events', eventDocument({ metric: 'Visit', profile }), 202],
  ['event-bulk-create-jobs', eventJobDocument([{ profile, events: [{ metric: 'Visit' }] }]), 202],
  ['profiles', profileDocument(profile), 201],
  ['profile-bulk-import-jobs', profileJobDocument([profile]), 202],
] as const;
const [[, EVENT]] = OPERATIONS;

const JSON_API = 'application/vnd.api+json';

describe('Paths and headers of the compatibility surface', () => {
  let service: TestService;
  let key: string;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    ({ key } = await service.newKey());
    client = new Client(service.url, key);
  });
  after(() => service.stop());

  for (const [name, document, status] of OPERATIONS) {
    for (const path of [
      `/compat/v1/${name}`,
      `/compat/v1/${name}/`,
      `/compat/v1/api/${name}`,
      `/compat/v1/api/${name}/`,
      `/compat/v1//api/${name}/`,
      `//compat/v1/api/${name}`,
      `/compat/v1/api//${name}//`,
      `/compat/v1/api/${name}?additional-fields[profile]=subscriptions&page[size]=none&fields&a=1&a=2`,
    ]) {
      it(`accept POST ${path}`, async () => {
        await client.post(path, document, { expect: status });
      });
    }
  }

  it('let a job be followed under every form of its path', async () => {
    const { body } = await client.post('/compat/v1/profile-bulk-import-jobs', profileJobDocument([profile]));
    const job = `profile-bulk-import-jobs/${body.data.id}`;
    for (const path of [job, `api/${job}`, `/api/${job}/`, `api/${job}/import-errors/`, `${job}//import-errors`]) {
      await client.get(`/compat/v1/${path}`, { expect: 200 });
    }
  });

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
    JSON_API,
    `${JSON_API}; charset=utf-8`,
  ]) {
    it(`accept and validate a body of ${type}`, async () => {
      const headers = { 'Content-Type': type };
      await client.post('/compat/v1/events', EVENT, { headers, expect: 202 });
      const wrong = eventDocument({ metric: 'Visit', profile: { email: 'not-an-email' } });
      const refused = await client.post('/compat/v1/events', wrong, { headers });
      expectRefusal(refused, '/data/attributes/profile/data/attributes/email');
    });
  }

  const NEGOTIATION: [accept: string, type: string][] = [
    [JSON_API, JSON_API],
    ['application/json', 'application/json'],
    ['*/*', JSON_API],
    ['application/*', JSON_API],
    [`application/json;q=0.5, ${JSON_API}`, JSON_API],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html', 'application/json'],
    ['nonsense', 'application/json'],
  ];
  for (const [accept, type] of NEGOTIATION) {
    it(`return ${type} to a client that accepts ${accept}, even for errors`, async () => {
      const isType = (response: { headers: Record<string, string> }) =>
        expect(response.headers['content-type']).to.match(new RegExp(`^${type.replace('+', '\\+')}(;|$)`));
      const headers = { Accept: accept };
      isType(await client.post('/compat/v1/events', EVENT, { headers, expect: 202 }));
      isType(await client.post('/compat/v1/events', {}, { headers, expect: 400 }));
      isType(await client.get('/compat/v1/catalog-items', { headers, expect: 404 }));
      isType(await new Client(service.url).post('/compat/v1/events', EVENT, { headers, expect: 401 }));
    });
  }

  for (const [what, headers] of [
    ['any revision', { revision: '2015-01-15' }],
    ['a revision that is none', { revision: 'latest' }],
    [
      'headers that it does not know',
      { 'X-Klaviyo-User-Agent': 'plugin/1.0', 'X-Forwarded-Proto': 'gopher', Host: '?' },
    ],
  ] as const) {
    it(`accept ${what}`, async () => {
      await client.post('/compat/v1/profiles', profileDocument(profile), { headers, expect: 201 });
    });
  }

  const withScheme = (scheme: string, to = service) =>
    new Client(to.url).post('/compat/v1/events', EVENT, { headers: { Authorization: `${scheme} ${key}` } });

  for (const scheme of ['Compat-API-Key', 'Bearer', 'compat-api-key', 'BEARER']) {
    it(`accept a key with the scheme ${scheme}`, async () => {
      expect(await withScheme(scheme)).to.have.property('status', 202);
    });
  }

  it('refuse another scheme, a key without one, and a missing key', async () => {
    for (const scheme of ['Klaviyo-API-Key', 'Basic', '']) {
      const { status, body } = await withScheme(scheme);
      expect(status).to.equal(401);
      const [error] = (body as any).errors;
      expect(error).to.include({ code: 'unauthorized', status: 401 });
      if (scheme) expect(error.detail).to.match(/Compat-API-Key or Bearer.*COMPAT_AUTH_SCHEMES/);
      else expect(error.detail).to.equal('The API key is missing or not valid');
    }
    await new Client(service.url).post('/compat/v1/events', EVENT, { expect: 401 });
  });

  it('accept the schemes of COMPAT_AUTH_SCHEMES, on this surface only', async () => {
    const other = await TestService.start({ COMPAT_AUTH_SCHEMES: 'Klaviyo-API-Key, Token' }, service.database);
    try {
      for (const scheme of ['Klaviyo-API-Key', 'klaviyo-api-key', 'Token', 'Compat-API-Key', 'Bearer']) {
        expect(await withScheme(scheme, other)).to.have.property('status', 202);
      }
      const headers = { Authorization: `Klaviyo-API-Key ${key}` };
      const event = { event_type: 'visit', profile };
      await new Client(other.url).post('/v1/events', event, { headers, expect: 401 });
    } finally {
      await other.stopService();
    }
  });
});
