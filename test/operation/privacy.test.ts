import { expect } from 'chai';
import { SCOPES } from '../../src/domain/caller.ts';
import { type EmbeddedPostgres, openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { eventDocument, eventJobDocument, profileDocument, profileJobDocument } from '../compat/documents.ts';
import { Client } from '../support/client.ts';
import { freeze } from '../support/freeze.ts';
import { databaseAt } from '../support/postgres.ts';
import { runKeys, ServiceProcess, temporaryFolder, until } from '../support/process.ts';
import { exchange } from '../support/raw.ts';

/** In everything that a client sends, so that a search for them finds what must not be there. */
const MARK = 'qzxmark';
const PHONE = '390698765432';
const MARKED = new RegExp(`${MARK}|${PHONE}|whsec_`, 'i');

const identifiers = { email: `${MARK}@example.com`, phone: `+${PHONE}`, external_id: `${MARK}-id` };
const data = { [`${MARK}_name`]: `${MARK} value`, first_name: MARK, nested: [{ [MARK]: PHONE }] };
const event = { event_type: `${MARK}_type`, profile: identifiers, properties: data, idempotency_key: `${MARK}-key` };
const { phone, ...others } = identifiers;
const profile = { ...others, phone_number: phone, first_name: MARK, properties: data };
const compatEvent = { metric: MARK, profile, properties: data, unique_id: MARK };

/** Bodies that are right, by path. */
const RIGHT: [path: string, body: object][] = [
  ['/v1/events', event],
  ['/v1/events', event],
  ['/v1/events/bulk', { events: [event, { ...event, idempotency_key: `${MARK}-2` }] }],
  ['/v1/profiles/upsert', { identifiers, attributes: data }],
  ['/v1/api-keys', { name: MARK, scopes: ['events:write'] }],
  ['/v1/webhook-endpoints', { name: MARK, url: `https://${MARK}.example/?token=${MARK}` }],
  ['/v1/imports', { name: MARK, mapping: [{ column: MARK, identifier: 'email' }] }],
  ['/compat/v1/events', eventDocument(compatEvent)],
  ['/compat/v1/profiles', profileDocument(profile)],
  ['/compat/v1/event-bulk-create-jobs', eventJobDocument([{ profile, events: [{ metric: MARK, properties: data }] }])],
  ['/compat/v1/profile-bulk-import-jobs', profileJobDocument([profile])],
];
/** Bodies that are wrong, in each way, for every path. */
const WRONG: (string | object)[] = [
  { [MARK]: MARK },
  { data: { type: MARK, attributes: { [MARK]: MARK } } },
  { ...event, profile: { email: `${MARK} at example` } },
  { ...event, occurred_at: MARK },
  { events: [event, { ...event, profile: MARK }] },
  { identifiers: { phone: MARK }, attributes: { [MARK]: '\u0000' } },
  [MARK],
  `{"${MARK}`,
  `{"${MARK}": 1e999, "__proto__": "${MARK}"}`,
  MARK,
];
const SEARCHES = [
  `/v1/profiles?email=${identifiers.email}`,
  `/v1/profiles?external_id_prefix=${MARK}`,
  `/v1/events?event_type=${MARK}_type&property=${MARK}_name&property_value=${MARK}%20value`,
];
const PATHS = [
  ...SEARCHES.map((path) => `${path}&cursor=${MARK}`),
  ...['events', 'profiles', 'api-keys'].map((name) => `/v1/${name}/${MARK}`),

  `/v1/customers/${identifiers.email}?email=${MARK}`,
  `/compat/v1/lists/${identifiers.external_id}-1001`,
  `/compat/v1/client/ffk_${MARK}/${PHONE}/%2B${PHONE}`,
  `/no-such-page?${MARK}`,
  `/v1/events/%E0%A4%A${MARK}`,
];

describe('The output of the service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: EmbeddedPostgres;
  let service: ServiceProcess;
  let key: string;
  let client: Client;

  before(async () => {
    folder = await temporaryFolder();
    postgres = await openEmbedded(folder.path);
    service = new ServiceProcess({
      DATABASE_URL: postgres.url,
      // No Redis is there: what it says of that must not hold the password.
      REDIS_URL: `redis://${MARK}:${MARK}@127.0.0.1:1`,
      WORKERS: '1',
      LOG_LEVEL: 'trace',
    });
    const args = ['create', '--name', MARK, '--store', MARK, '--scopes', SCOPES.join(','), '--json'];
    const url = await service.url();
    ({ key } = JSON.parse((await runKeys(args, { DATABASE_URL: postgres.url })).stdout));
    client = new Client(url, key);
  });
  after(async () => {
    await service.stop();
    await postgres.release();
    await folder.remove();
  });

  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': MARK,
    Cookie: `session=${MARK}`,
    Referer: `https://example.com/${MARK}`,
    'X-Forwarded-For': MARK,
    'Idempotency-Key': MARK,
    revision: MARK,
    traceparent: MARK,
    tracestate: `vendor=${MARK}`,
  };
  // Events have keys of their own in the body.
  const { 'Idempotency-Key': _, ...withoutKey } = headers;
  const post = (path: string, body: string | object, sender = client) =>
    sender.send('POST', path, typeof body === 'string' ? body : JSON.stringify(body), {
      headers: /^\/v1\/events(\/bulk)?$/.test(path) ? withoutKey : headers,
    });

  /** Sends what is right to every operation; answers the statuses. */
  async function sendAll(): Promise<number[]> {
    const answers = await Promise.all(RIGHT.map(([path, body]) => post(path, body)));
    return answers.map(({ status }) => status);
  }

  it('contains no data, key or password, whatever is sent and whatever goes wrong', async () => {
    // Twice: only then there is a profile to update for certain.
    expect(new Set([...(await sendAll()), ...(await sendAll())])).to.deep.equal(new Set([200, 201, 202]));
    for (const [path] of RIGHT) {
      for (const body of WRONG) await post(`${path}?${MARK}=${MARK}`, body);
    }
    for (const path of SEARCHES) await client.get(path, { expect: 200 });
    for (const path of PATHS) expect((await client.get(path)).status).to.be.oneOf([400, 404]);
    for (const authorization of [`Bearer ${MARK}`, `${MARK} ${key}`, `Bearer ${key.slice(0, -1)}_`, MARK]) {
      await new Client(await service.url()).post('/v1/events', event, { headers: { Authorization: authorization } });
    }
    await post('/v1/events', event, new Client(await service.url(), `ffk_${MARK}`));
    await exchange(await service.url(), `GET /${MARK} HTTP/9\r\n${MARK}\r\n\r\n`);
    await exchange(await service.url(), `POST /v1/events HTTP/1.1\r\nHost: ${MARK}\r\n${MARK}\r\n\r\n`);

    // What Postgres says of these quotes rows.
    const database = databaseAt(postgres.url);
    await database.query(`alter table event add constraint refused check (event_type !~ '${MARK}') not valid`);
    expect(await post('/v1/events', { ...event, idempotency_key: `${MARK}-3` })).to.include({ status: 500 });
    await database.query('alter table event drop constraint refused');
    await database.query('alter table profile rename to away; alter table import_error rename to away_too');
    expect(await sendAll()).to.include(500);
    await until(() => service.stdout.includes('import interrupted'), 'the worker has failed too');
    await database.query('alter table away rename to profile; alter table away_too rename to import_error');
    const metrics = await client.get('/metrics');
    const thaw = await freeze(postgres);
    try {
      // 502 and 503 of those that waited for a connection which another one of them had.
      for (const status of await sendAll()) expect(status).to.be.oneOf([500, 502, 503]);
    } finally {
      thaw();
    }

    await service.stop();
    const printed = service.stdout.replace(service.key as string, '') + service.stderr;
    expect(printed).to.match(/"msg":"request failed"/);
    expect(printed)
      .to.match(/"path":"\/v1\/customers\/\*"/)
      .and.to.match(/"path":"\/compat\/v1\/client\/\*\/\*\/\*"/);
    expect(printed).not.to.match(MARKED);
    expect(printed).not.to.contain('ffk_');
    expect(printed).not.to.contain(new URL(postgres.url).password);
    expect(JSON.stringify(metrics)).not.to.match(MARKED);
  });
});
