import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('The store', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });
  after(() => service.stop());

  const visit = async (profile: object) =>
    (await client.post('/v1/events', { event_type: 'visit', profile }, { expect: 201 })).body.profile_id;
  const setCountry = (country: string | null, expected = 200) =>
    client.send<any>('PATCH', '/v1/store', JSON.stringify({ country }), { headers: JSON_TYPE, expect: expected });
  /** Settings reach every process within a second. */
  const settled = () => sleep(1_100);
  /** A customer as a version before has stored them. */
  const stored = async (kind: 'email' | 'phone', value: string) => {
    const id = await visit({
      [kind]: kind === 'email' ? `${Math.random()}@example.com` : `9${Math.random()}`.slice(2, 14),
    });
    await service.database.query(`
      update profile set ${kind} = '${value}' where store_id = '${storeId}' and id = '${id}'`);
    await service.database.query(`
      update profile_identifier set value = '${value}' where store_id = '${storeId}' and profile_id = '${id}'`);
    return id;
  };
  /** Keeps the service from looking at what is stored, until `checkAgain`. */
  const holdChecks = async () => {
    await checked();
    await service.database.query(
      `update identifier_check set taken_until = now() + interval '1 day' where id = '${storeId}'`,
    );
  };
  const checkAgain = () => service.database.query(`delete from identifier_check where id = '${storeId}'`);
  const checked = async () => {
    for (;;) {
      const { body } = await client.get<any>('/v1/identifier-splits', { expect: 200 });
      if (body.checked_at !== null) return body.splits;
      await sleep(100);
    }
  };

  it('GET /v1/store shows it', async () => {
    expect((await client.get('/v1/store', { expect: 200 })).body).to.deep.include({ id: storeId, country: null });
  });

  const update = (changes: object, expected = 200) =>
    client.send<any>('PATCH', '/v1/store', JSON.stringify(changes), { headers: JSON_TYPE, expect: expected });

  it('PATCH /v1/store sets what customers know it by and how it reckons, each by itself, on both surfaces', async () => {
    const changes = {
      ...{ display_name: ' Café Löwe ', time_zone: 'Europe/Berlin', currency: 'EUR', country: 'DE' },
      ...{ website_url: 'https://cafe-loewe.example', postal_address: 'Marktplatz 1' },
    };
    const { body } = await update(changes);
    expect(body).to.deep.include({ ...changes, id: storeId, display_name: 'Café Löwe' });
    expect((await update({ currency: 'GBP' })).body).to.deep.equal({ ...body, currency: 'GBP' });
    expect((await client.get('/v1/store', { expect: 200 })).body).to.deep.equal({ ...body, currency: 'GBP' });
    const settings = await client.get<any>('/v1/message-settings', { expect: 200 });
    expect(settings.body.postal_address).to.equal('Marktplatz 1');
    const { attributes } = (await client.get<any>('/compat/v1/accounts', { expect: 200 })).body.data[0];
    expect(attributes).to.deep.include({ timezone: 'Europe/Berlin', preferred_currency: 'GBP' });
    const { organization_name, website_url, street_address } = attributes.contact_information;
    expect([organization_name, website_url, street_address.country]).to.deep.equal([
      ...['Café Löwe', 'https://cafe-loewe.example', 'DE'],
    ]);
    const nothing = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
    expect((await update(nothing)).body).to.deep.include(nothing);
  });

  it('PATCH /v1/store names what it refuses, and changes nothing', async () => {
    for (const [field, value] of [
      ['time_zone', 'Europe/Berlín'],
      ['time_zone', '+01:00'],
      ['currency', 'EUX'],
      ['currency', 'eur'],
      ['website_url', 'javascript:alert(1)'],
      ['website_url', 'https://'],
      ['display_name', 'a\nb'],
      ['postal_address', 'x'.repeat(501)],
    ] as const) {
      const { body } = await update({ display_name: 'Changed', [field]: value }, 400);
      expect(body.error.field, JSON.stringify(value)).to.equal(field);
    }
    expect((await client.get<any>('/v1/store', { expect: 200 })).body.display_name).to.equal(null);
  });

  it('dates in messages are those of the store, where the customer has no time zone', async () => {
    await update({ display_name: 'Tea', time_zone: 'Pacific/Apia' });
    const template = {
      name: 'Date',
      kind: 'sms',
      body: '{{ store.name }} {{ "2026-01-01T12:00:00Z" | date: "%d %H" }}',
    };
    const { body: created } = await client.post<any>('/v1/templates', template, { expect: 201 });
    const render = async (profile?: object) =>
      (await client.post<any>(`/v1/templates/${created.id}/render`, profile ? { profile } : {}, { expect: 200 })).body
        .text;
    expect(await render()).to.equal('Tea 02 01');
    const customer = { identifiers: { external_id: 'c1' }, attributes: { location: { timezone: 'Europe/Berlin' } } };
    await client.post('/v1/profiles/upsert', customer, { expect: 201 });
    expect(await render(customer.identifiers)).to.equal('Tea 01 13');
  });

  it('PATCH /v1/store sets the country, and refuses what is none', async () => {
    expect((await setCountry('GB')).body).to.deep.include({ id: storeId, country: 'GB' });
    expect((await client.get('/v1/store', { expect: 200 })).body.country).to.equal('GB');
    for (const country of ['XX', 'gb', 'GBR', '']) {
      expect((await setCountry(country, 400)).body.error.field, country).to.equal('country');
    }
    expect((await setCountry(null)).body.country).to.equal(null);
  });

  it('PATCH /v1/store has numbers read as they are dialled in the country, on both surfaces', async () => {
    const national = await visit({ phone: '020 7946 0958' });
    await setCountry('GB');
    await settled();
    expect(await visit({ phone: '020 7946 0958' }), 'as before').to.equal(national);
    expect(await visit({ phone: '+44 20 7946 0958' }), 'the international one').to.equal(national);
    expect(await visit({ phone: '0044 20 7946 0958' }), 'with a prefix').to.equal(national);
    const { body } = await client.post<any>('/v1/profiles/upsert', { identifiers: { phone: '(020) 7946 0999' } });
    expect(body.identifiers.phone).to.equal('+442079460999');
    const data = { type: 'profile', attributes: { phone_number: '020 7946 0999' } };
    const saved = await client.post<any>('/compat/v1/profiles', { data }, { expect: 201 });
    expect(saved.body.data).to.have.property('id', body.id);
    const found = await client.get<any>('/v1/profiles?phone=020%207946%200999', { expect: 200 });
    expect(found.body.profiles).to.have.length(1).and.have.nested.property('[0].id', body.id);
  });

  it('shows in the preview of a file what its numbers become', async () => {
    await setCountry('GB');
    await settled();
    const { body: file } = await client.post<any>('/v1/imports', {}, { expect: 201 });
    const text = 'Phone,Email\n020 7946 0958,Info@B\u00fccher.example\n12,x\n';
    const part = JSON.stringify({ text });
    await client.send('PUT', `/v1/imports/${file.id}/parts/1`, part, { headers: JSON_TYPE, expect: 200 });
    const { body } = await client.post<any>(`/v1/imports/${file.id}/preview`, {}, { expect: 200 });
    expect(body.columns.map(({ sample, becomes }: any) => [sample, becomes])).to.deep.equal([
      ['020 7946 0958', '+442079460958'],
      ['Info@B\u00fccher.example', 'info@b\u00fccher.example'],
    ]);
    expect(body.rows[0].identifiers).to.deep.equal({
      email: 'info@b\u00fccher.example',
      phone: '+442079460958',
      external_id: null,
    });
    expect(body.rows[1].error).not.to.equal(null);
  });

  it('GET /v1/identifier-splits lists the customers that several spellings had, and merges none', async () => {
    await holdChecks();
    const [letters, ascii, single, old] = [
      await stored('email', 'info@b\u00fccher.example'),
      await stored('email', 'info@xn--bcher-kva.example'),
      await stored('email', 'rene\u0301@example.com'),
      await stored('phone', '+4402079460958'),
    ];
    await checkAgain();
    const splits = await checked();
    expect(splits).to.have.length(1);
    expect(splits[0]).to.deep.include({ kind: 'email', value: 'info@xn--bcher-kva.example' });
    expect(splits[0].owners).to.have.deep.members([
      { spelling: 'info@b\u00fccher.example', profile_id: letters },
      { spelling: 'info@xn--bcher-kva.example', profile_id: ascii },
    ]);
    expect(await visit({ email: 'info@b\u00fccher.example' })).to.equal(letters);
    expect(await visit({ email: 'info@xn--bcher-kva.example' })).to.equal(ascii);
    for (const email of ['rene\u0301@example.com', 'ren\u00e9@example.com']) {
      expect(await visit({ email }), JSON.stringify(email)).to.equal(single);
    }
    for (const phone of ['+4402079460958', '+44 (0)20 7946 0958', '+442079460958']) {
      expect(await visit({ phone }), phone).to.equal(old);
    }
    const both = await client.get<any>(`/v1/profiles?email=${encodeURIComponent('info@b\u00fccher.example')}`);
    expect(both.body.profiles.map(({ id }: any) => id)).to.have.members([letters, ascii]);
  });

  it('GET /v1/identifier-splits follows the country, and is in the metrics', async () => {
    const national = await visit({ phone: '020 7946 0958' });
    const international = await visit({ phone: '+44 20 7946 0958' });
    expect(international).not.to.equal(national);
    expect(await checked()).to.deep.equal([]);
    await setCountry('GB');
    const [split, ...others] = await checked();
    expect(others).to.deep.equal([]);
    expect(split).to.deep.include({ kind: 'phone', value: '+442079460958' });
    expect(split.owners.map((one: any) => one.profile_id)).to.have.members([national, international]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(Number(/^footfall_identifier_splits (\d+)$/m.exec(metrics)?.[1])).to.be.at.least(1);
  });

  it('finds customers by the spelling that a version before has stored, before all have been looked at', async () => {
    await holdChecks();
    const id = await stored('email', 'rene\u0301@example.com');
    expect(await visit({ email: 'RENE\u0301@example.com' })).to.equal(id);
    expect(await visit({ email: 'ren\u00e9@example.com' })).to.equal(id);
    const phone = await stored('phone', '+4402079460958');
    expect(await visit({ phone: '+44 (0)20 7946 0958' })).to.equal(phone);
    expect(await visit({ phone: '+44 20 7946 0958' })).to.equal(phone);
  });
});
