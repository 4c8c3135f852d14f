import { expect } from 'chai';
import { type Answer, exchange } from '../support/raw.ts';
import { TestService } from '../support/service.ts';
import { eventDocument, profileDocument, profileJobDocument } from './documents.ts';

const HOST = 'a.klaviyo.com';

describe('Host names of COMPAT_HOSTS', () => {
  let service: TestService;
  let key: string;

  before(async () => {
    service = await TestService.start({ COMPAT_HOSTS: `other.example, ${HOST}`, METRICS_TOKEN: 'x'.repeat(16) });
    ({ key } = await service.newKey());
  });
  after(() => service.stop());

  const send = async (method: string, path: string, host: string, body?: unknown, to = service): Promise<Answer> => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ];
    const { answers } = await exchange(to.url, `${lines.join('\r\n')}\r\n\r\n${text}`);
    return answers[0] as Answer;
  };
  const event = eventDocument({ metric: 'Placed Order', profile: { email: 'ada@example.com' } });
  const profile = profileDocument({ email: 'ada@example.com' });

  for (const path of ['/api/events', '/api/events/', '//api//events', '/compat/v1/events', '/compat/v1/api/events']) {
    it(`record an event at ${path}`, async () => {
      expect((await send('POST', path, HOST, event)).status).to.equal(202);
    });
  }

  for (const host of ['A.Klaviyo.COM', `${HOST}:8443`, 'other.example']) {
    it(`count as the same, and begin links, as ${host}`, async () => {
      const { status, body } = await send('POST', '/api/profiles', host, profile);
      expect(status).to.equal(201);
      expect(body.data.links.self).to.equal(`http://${host}/api/profiles/${body.data.id}`);
    });
  }

  it('take what pages and apps send at /client, with a public key', async () => {
    const { key: publicKey, storeId } = await service.newKey({ scopes: ['client:write'] });
    expect((await send('POST', `/client/events?company_id=${publicKey}`, HOST, event)).status).to.equal(202);
    const stored = await service.database.query(`select from event where store_id = '${storeId}'`);
    expect(stored).to.have.length(1);
  });

  it('have links that can be followed', async () => {
    const job = profileJobDocument([{ email: 'ada@example.com' }]);
    const accepted = await send('POST', '/api/profile-bulk-import-jobs', HOST, job);
    const { host, pathname } = new URL(accepted.body.data.links.self);
    const followed = await send('GET', pathname, host);
    expect([followed.status, followed.body.data.id]).to.deep.equal([200, accepted.body.data.id]);
  });

  it('leave links at the address that was called', async () => {
    const { body } = await send('POST', '/compat/v1/profiles', HOST, profile);
    expect(body.data.links.self).to.equal(`http://${HOST}/compat/v1/profiles/${body.data.id}`);
  });

  it('begin the links of a large request too', async () => {
    const large = profileDocument({ email: 'large@example.com', properties: { note: 'x'.repeat(80_000) } });
    const { status, body } = await send('POST', '/api/profiles', HOST, large);
    expect(status).to.equal(201);
    expect(body.data.links.self).to.equal(`http://${HOST}/api/profiles/${body.data.id}`);
  });

  it('get errors as documents of the surface', async () => {
    const invalid = await send('POST', '/api/events', HOST, {});
    expect([invalid.status, invalid.body.errors[0].code]).to.deep.equal([400, 'validation_error']);
    const { key: publicKey } = await service.newKey({ scopes: ['client:write'] });
    const client = `?company_id=${publicKey}`;
    for (const path of ['/api/lists', `/client/nothing${client}`, '/api/nothing', '/api/', `/client/${client}`]) {
      const { status, body } = await send('GET', path, HOST);
      expect([path, status, body.errors[0].code]).to.deep.equal([path, 404, 'not_found']);
    }
  });

  it('get such a document for what is not HTTP', async () => {
    const bad = (host: string) =>
      exchange(service.url, `POST /api/events HTTP/1.1\r\nHost: ${host}\r\nContent-Length: x\r\n\r\n`);
    const [here, elsewhere] = [await bad(HOST), await bad('shop.example')];
    expect(here.answers[0]?.body.errors[0].code).to.equal('validation_error');
    expect(elsewhere.answers[0]?.body.error.code).to.equal('validation_error');
  });

  it('leave every other path as it is', async () => {
    expect((await send('GET', '/health/live', HOST)).status).to.equal(200);
    expect((await send('GET', '/v1/events', HOST)).body).to.have.property('events');
    for (const path of ['/api', '/apis/events', '/events', '/x/api/events']) {
      const { status, body } = await send('POST', path, HOST, event);
      expect([path, status, body.error.code]).to.deep.equal([path, 404, 'not_found']);
    }
  });

  it('concern no other host', async () => {
    for (const host of ['localhost', 'x.a.klaviyo.com', `${HOST}.example`, 'klaviyo.com']) {
      const { status, body } = await send('POST', '/api/events', host, event);
      expect([host, status, body.error.code]).to.deep.equal([host, 404, 'not_found']);
    }
    const forwarded = await fetch(`${service.url}/api/events`, { headers: { 'X-Forwarded-Host': HOST } });
    expect(await forwarded.json()).to.have.nested.property('error.code', 'not_found');
  });

  it('are none by default', async () => {
    const plain = await TestService.start({}, service.database);
    try {
      const { status, body } = await send('POST', '/api/events', HOST, event, plain);
      expect([status, body.error.code]).to.deep.equal([404, 'not_found']);
    } finally {
      await plain.stopService();
    }
  });

  it('are what a trusted proxy forwards', async () => {
    const behind = await TestService.start({ COMPAT_HOSTS: HOST, TRUST_PROXY: '1' }, service.database);
    try {
      const response = await fetch(`${behind.url}/api/profiles`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'X-Forwarded-Host': HOST,
          'X-Forwarded-Proto': 'https',
        },
        body: JSON.stringify(profile),
      });
      const { data } = (await response.json()) as { data: { id: string; links: { self: string } } };
      expect(data.links.self).to.equal(`https://${HOST}/api/profiles/${data.id}`);
    } finally {
      await behind.stopService();
    }
  });
});
