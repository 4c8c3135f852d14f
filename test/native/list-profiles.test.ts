import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { readAll, record, refusedField } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/profiles';

describe('GET /v1/profiles', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    client = await service.client();
  });

  const upsert = async (identifiers: Record<string, string>, attributes = {}) =>
    (await client.post('/v1/profiles/upsert', { identifiers, attributes })).body;
  const list = async (filter: Record<string, string>) =>
    (await client.get(`${PATH}?${new URLSearchParams(filter)}`, { expect: 200 })).body.profiles;

  it('lists profiles newest first, each once, while others write', async () => {
    const created: any[] = [];
    for (let n = 0; n < 12; n += 1) created.unshift(await upsert({ external_id: `c${n}` }, { n }));
    const shown = await readAll(client, `${PATH}?limit=5`, 'profiles', async () => {
      await upsert({ external_id: `later ${Math.random()}` });
    });
    expect(shown).to.deep.equal(created);
  });

  it('finds a profile by each identifier in any spelling, and by all its addresses', async () => {
    const identifiers = { email: 'ada@example.com', phone: '+44 20 7946 0958', external_id: 'Cust_1' };
    await upsert(identifiers);
    const ada = await upsert({ external_id: 'Cust_1', email: 'countess@example.com' });
    await upsert({ external_id: 'cust_1' });
    expect(await list({ email: ' ADA@Example.com' })).to.deep.equal([ada]);
    expect(await list({ email: 'countess@example.com' })).to.deep.equal([ada]);
    expect(await list({ phone: '+44 (20) 7946-0958' })).to.deep.equal([ada]);
    expect(await list({ external_id: 'Cust_1' })).to.deep.equal([ada]);
    for (const filter of [{ email: 'a@example.com' }, { phone: '+442079' }, { external_id: 'Cust_' }]) {
      expect(await list(filter as unknown as Record<string, string>)).to.deep.equal([]);
    }
  });

  it('finds a customer by a number as it is dialled in the country of the store', async () => {
    await client.send('PATCH', '/v1/store', JSON.stringify({ country: 'GB' }), {
      expect: 200,
      headers: { 'Content-Type': 'application/json' },
    });
    await upsert({ phone: '+44 20 7946 0958', external_id: 'ada' });
    await upsert({ phone: '+49 30 1234567', external_id: 'ben' });
    const found = async (phone_prefix: string) =>
      (await list({ phone_prefix })).map((profile: any) => profile.identifiers.external_id);
    for (const typed of [
      '020 7946 0958',
      '(020) 7946',
      '0207',
      '0044 20 7946 0958',
      '+44 (0)20 7946 0958',
      '020-7946-0958',
    ]) {
      await until(async () => (await found(typed)).length === 1, `${typed} finds somebody`);
      expect(await found(typed)).to.deep.equal(['ada']);
    }
    expect(await found('0049 30 1234567')).to.deep.equal(['ben']);
    expect(await found('030')).to.deep.equal([]);
  });

  it('finds a number, an address and a time whose plus sign was not encoded', async () => {
    const ada = await upsert({ email: 'ada+tea@example.com', phone: '+442079460958' });
    for (const query of [
      'phone=+442079460958',
      'phone=+44+20+7946+0958',
      'phone=%2B44+20+7946+0958',
      'phone_prefix=+44207',
      'email=ada+tea@example.com',
      'email=+ada%2Btea@example.com+',
      'email_prefix=ada+t',
    ]) {
      const { body } = await client.get(`${PATH}?${query}`, { expect: 200 });
      expect(body.profiles, query).to.deep.equal([ada]);
    }
    await record(client, {
      event_type: 'visit',
      profile: { email: 'ada+tea@example.com' },
      occurred_at: '2026-03-01T09:30:00Z',
    });
    for (const [from, count] of [
      ['2026-03-01T10:30:00+01:00', 1],
      ['2026-03-01T10:30:00.001+01:00', 0],
      ['2026-03-01T10:30:00.001%2B01:00', 0],
    ]) {
      const { body } = await client.get(`/v1/events?from=${from}`, { expect: 200 });
      expect(body.events, String(from)).to.have.length(Number(count));
    }
  });

  it('finds profiles by the beginning of each identifier, in its order, page by page', async () => {
    for (const name of ['anna', 'ann', 'bob', 'ann-marie', 'ånn', 'an_n', 'an%n', 'zoë']) {
      await upsert({ external_id: name, email: `${name.replace('%', '+')}@example.com` });
    }
    await upsert({ phone: '+49 30 1234567' });
    await upsert({ phone: '030 1234567' });
    const namesBy = async (filter: Record<string, string>) =>
      (await readAll(client, `${PATH}?limit=2&${new URLSearchParams(filter)}`, 'profiles')).map(
        ({ identifiers }) => identifiers.external_id ?? identifiers.phone,
      );
    expect(await namesBy({ external_id_prefix: 'ann' })).to.deep.equal(['ann', 'ann-marie', 'anna']);
    expect(await namesBy({ external_id_prefix: 'an%' })).to.deep.equal(['an%n']);
    expect(await namesBy({ external_id_prefix: 'an_' })).to.deep.equal(['an_n']);
    expect(await namesBy({ external_id_prefix: 'A' })).to.deep.equal([]);
    expect(await namesBy({ email_prefix: ' ANN' })).to.deep.equal(['ann-marie', 'ann', 'anna']);
    expect(await namesBy({ phone_prefix: '+49 (30)' })).to.deep.equal(['+49301234567']);
    expect(await namesBy({ phone_prefix: '0' })).to.deep.equal(['0301234567']);
  });

  it('returns a profile with several matching addresses once per page', async () => {
    for (const n of [1, 2, 3]) await upsert({ external_id: 'ada', email: `ada${n}@example.com` });
    expect(await list({ email_prefix: 'ada' })).to.have.length(1);
  });

  it('finds profiles by the beginning of the first or last name, in any case, page by page', async () => {
    for (const [first_name, last_name] of [
      ['Ada', 'Lovelace'],
      ['Adam', 'Smith'],
      ['Émile', 'Zola'],
      [' Lova \n', '\tLo'],
      ['Love', 100],
      [undefined, 'Lovett'],
      ['An_n', '%'],
      ['x'.repeat(150), undefined],
      ['', ''],
      [{ of: 'none' }, null],
    ]) {
      await upsert({ external_id: `${first_name} ${last_name}` }, { first_name, last_name });
    }
    await upsert({ external_id: 'nameless' });
    const namesBy = async (name_prefix: string) =>
      (await readAll(client, `${PATH}?limit=2&${new URLSearchParams({ name_prefix })}`, 'profiles')).map(
        ({ identifiers }) => identifiers.external_id,
      );
    expect(await namesBy('ada')).to.deep.equal(['Ada Lovelace', 'Adam Smith']);
    expect(await namesBy(' ADA LO')).to.deep.equal(['Ada Lovelace']);
    expect(await namesBy('smith')).to.deep.equal(['Adam Smith']);
    expect(await namesBy('éMILE z')).to.deep.equal(['Émile Zola']);
    expect(await namesBy('Love')).to.deep.equal(['Love 100', 'Ada Lovelace', 'undefined Lovett']);
    expect(await namesBy('love 1')).to.deep.equal(['Love 100']);
    expect(await namesBy('an_')).to.deep.equal(['An_n %']);
    expect(await namesBy('%')).to.deep.equal(['An_n %']);
    expect(await namesBy('x'.repeat(100))).to.have.length(1);
    expect(await namesBy('lova lo')).to.deep.equal([' Lova \n \tLo']);
    expect(await namesBy('nobody')).to.deep.equal([]);

    await upsert({ external_id: 'Adam Smith' }, { first_name: 'Eve' });
    expect(await namesBy('adam')).to.deep.equal([]);
    expect(await namesBy('eve smi')).to.deep.equal(['Adam Smith']);
    expect(
      (await (await service.client()).get(`${PATH}?name_prefix=ada`, { expect: 200 })).body.profiles,
    ).to.deep.equal([]);
  });

  it('returns the profiles with given ids, newest first, without unknown ones and those of other stores', async () => {
    const [ada, , bob] = [
      await upsert({ external_id: 'ada' }),
      await upsert({ external_id: 'eve' }),
      await upsert({ external_id: 'bob' }),
    ];
    const other = await service.client();
    const theirs = (await other.post('/v1/profiles/upsert', { identifiers: { external_id: 'ada' } })).body;
    const ids = [ada.id, theirs.id, '01936b2e-7c19-7a02-8c51-0d9f6a1e4b77', bob.id.toUpperCase(), ada.id].join();
    expect(await list({ ids })).to.deep.equal([bob, ada]);
    expect(await readAll(client, `${PATH}?limit=1&ids=${ids}`, 'profiles')).to.deep.equal([bob, ada]);
    expect(await list({ ids: theirs.id })).to.deep.equal([]);
  });

  it('names an invalid parameter', async () => {
    const other = Buffer.from('bob').toString('base64url');
    for (const [query, field] of [
      ['limit=101', 'limit'],
      ['cursor=x', 'cursor'],
      [`external_id_prefix=ann&cursor=${other}`, 'cursor'],
      ['email=nobody', 'email'],
      ['phone=none', 'phone'],
      ['external_id=', 'external_id'],
      ['external_id=a&email=a@example.com', 'external_id'],
      ['email=a@example.com&email_prefix=a', 'email_prefix'],
      ['name=Ada', 'name'],
      ['name_prefix=', 'name_prefix'],
      ['name_prefix=%20', 'name_prefix'],
      [`name_prefix=${'a'.repeat(101)}`, 'name_prefix'],
      [`name_prefix=ada&cursor=${other}`, 'cursor'],
      ['name_prefix=ada&email=a@example.com', 'name_prefix'],
      ['ids=', 'ids[0]'],
      ['ids=1', 'ids[0]'],
      [`ids=${Array(101).fill('01936b2e-7c19-7a02-8c51-0d9f6a1e4b77')}`, 'ids'],
    ]) {
      expect(await refusedField(client, `${PATH}?${query}`), query).to.equal(field);
    }
  });

  describe('GET /v1/profiles/{id} and /v1/profiles/{id}/events', () => {
    it('returns the profile as it is', async () => {
      const ada = await upsert({ email: 'ada@example.com' }, { first_name: 'Ada', tags: [1, { a: null }] });
      const { consent, ...profile } = (await client.get(`${PATH}/${ada.id}`, { expect: 200 })).body;
      expect(profile).to.deep.equal(ada);
      expect(consent.email.status).to.equal('never');
    });

    it('lists only its own events, by the time at which they happened', async () => {
      const { id } = await upsert({ external_id: 'ada' });
      const at = (day: number) => `2026-03-0${day}T12:00:00.000Z`;
      const [one, two, three] = await record(
        client,
        { event_type: 'visit', profile: { external_id: 'ada' }, occurred_at: at(2) },
        { event_type: 'order', profile: { external_id: 'ada' }, occurred_at: at(3) },
        { event_type: 'visit', profile: { external_id: 'ada' }, occurred_at: at(1) },
        { event_type: 'visit', profile: { external_id: 'bob' }, occurred_at: at(2) },
      );
      const ids = async (query: string) =>
        (await readAll(client, `${PATH}/${id}/events?limit=1${query}`, 'events')).map((event) => event.id);
      expect(await ids('')).to.deep.equal([two, one, three]);
      expect(await ids('&event_type=visit')).to.deep.equal([one, three]);
      expect(await ids(`&from=${at(2)}&to=${at(3)}`)).to.deep.equal([one]);
      expect(await refusedField(client, `${PATH}/${id}/events?cursor=x`)).to.equal('cursor');
    });
  });
});
