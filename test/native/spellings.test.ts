import { expect } from 'chai';
import { eventDocument, profileDocument, profileJobDocument } from '../compat/documents.ts';
import type { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

/** Spellings of the same address or number; what each of them is shown as, if not as the first. */
const EMAILS: [shown: string, ...spellings: string[]][] = [
  ['info@bücher.example', 'INFO@BÜCHER.EXAMPLE', 'info@bu\u0308cher.example', 'info@bücher。example'],
  ['ren\u00e9@example.com', 'rene\u0301@example.com', 'RENÉ@example.com'],
  [
    'ada@example.com',
    ...['\ufe0f', '\u061c', '\u180e', '\u034f', '\u3164', '\u200b', '\u00ad', '\u200d', '\ufeff', '\u2060'].map(
      (hidden) => `a${hidden}da@exam${hidden}ple.com`,
    ),
    '\u2067ada@example.com\u2069',
    '\u202aada@example.com\u202c',
    'ａｄａ@example.com',
    'ada＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ada@example｡com',
  ],
  ['ada-1@example.com', 'ada−1@example.com', 'ada-١@example.com', 'ada-１@example.com'],
  ['a..b@docomo.example', 'A..B@docomo.example'],
  ['a.@docomo.example', 'A.@docomo.example'],
];
const PHONES: [shown: string, ...spellings: string[]][] = [
  [
    '+442079460958',
    ...[
      '+44 (0)20 7946 0958',
      '+44 020 7946 0958',
      '+44 20 7946\u200b0958',
      '+44−20−7946−0958',
      '\u202d+442079460958\u202c',
    ],
    ...['＋４４　２０　７９４６　０９５８', '+٤٤ ٢٠ ٧٩٤٦ ٠٩٥٨', '+४४ २० ७९४६ ०९५८', '+44 [20] 7946~0958'],
  ],
  ['+390612345678', '+39 (0)6 1234 5678', '+39 06 12345678'],
  ['+78121234567', '+7 8 812 123-45-67'],
  ['+36201234567', '+36 06 20 123 4567'],
  ['+12125550123', '+1 1 212 555 0123'],
  ['+2250707070707', '+225 (0)7 07 07 07 07'],
  ['+81312345678', '+81 ３ー１２３４ー５６７８'],
];

/** Digits and dashes that are none to everybody: above and below the line, in circles, wavy, of accounts, halves. */
const ODD_DIGITS = ['²', '₂', '②', '⒉', '２', '𝟐', '𝟚', '۲', '༫', '½', '㉒', 'Ⅱ', '二', '〢', '𐄈', '2\u20e3'];
const ODD_DASHES = ['〰', '〜', '～', '﹣', '－', '—', '⸺', '−', '⁃', '‿', 'ー', '﹏', '゠', '·', '⁓', '＿'];

describe('Spellings', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    client = await service.client();
  });
  after(() => service.stop());

  const upsert = async (identifiers: object) => (await client.post('/v1/profiles/upsert', { identifiers })).body;
  const visit = async (profile: object, event_type = 'visit') =>
    (await client.post('/v1/events', { event_type, profile })).body;

  it('of one address are one customer, on both surfaces', async () => {
    for (const [shown, ...spellings] of EMAILS) {
      const { id, identifiers } = await upsert({ email: shown });
      expect(identifiers.email).to.equal(shown);
      for (const email of spellings) {
        const where = JSON.stringify(
          [...email].map((one) => (one > '~' ? `U+${one.codePointAt(0)?.toString(16)}` : one)).join(''),
        );
        expect((await visit({ email })).profile_id, where).to.equal(id);
        expect(await upsert({ email }), where).to.deep.include({ id, identifiers });
        const sent = await client.post('/compat/v1/profiles', profileDocument({ email }), { expect: 201 });
        expect(sent.body.data, where).to.deep.include({ id }).and.have.nested.property('attributes.email', shown);
        const recorded = await client.post('/compat/v1/events', eventDocument({ metric: 'Visit', profile: { email } }));
        expect(recorded.body.data.relationships.profile.data.id, where).to.equal(id);
      }
    }
  });

  it('of one number are one customer, on both surfaces', async () => {
    for (const [shown, ...spellings] of PHONES) {
      const { id, identifiers } = await upsert({ phone: shown });
      expect(identifiers.phone).to.equal(shown);
      for (const phone of spellings) {
        expect((await visit({ phone })).profile_id, phone).to.equal(id);
        expect(await upsert({ phone }), phone).to.deep.include({ id, identifiers });
        const sent = await client.post('/compat/v1/profiles', profileDocument({ phone_number: phone }), {
          expect: 201,
        });
        expect(sent.body.data, phone)
          .to.deep.include({ id })
          .and.have.nested.property('attributes.phone_number', shown);
      }
    }
  });

  it('that are odd are read or refused alike on both surfaces, and refused ones are left out of the events of one', async () => {
    let [read, refused] = [0, 0];
    for (const [member, name, value] of [
      ...[...ODD_DIGITS, ...ODD_DASHES].map((odd) => ['phone', 'phone_number', `+44 20 7946 095${odd}8`] as const),
      ...[...ODD_DIGITS, ...ODD_DASHES].flatMap((odd) =>
        [`ada${odd}x@example.com`, `ada@exa${odd}mple.com`].map((email) => ['email', 'email', email] as const),
      ),
    ]) {
      const external_id = `beside-${read + refused}`;
      const upserted = await client.post('/v1/profiles/upsert', { identifiers: { [member]: value } });
      const isRead = upserted.status !== 400;
      const answers = [
        await client.post('/v1/events', { event_type: 'visit', profile: { [member]: value } }),
        await client.post('/v1/events', { event_type: 'visit', profile: { [member]: value, external_id } }),
        await client.post('/compat/v1/profiles', profileDocument({ [name]: value })),
        await client.post('/compat/v1/events', eventDocument({ metric: 'Visit', profile: { [name]: value } })),
      ];
      expect(
        answers.map(({ status }) => status !== 400),
        value,
      ).to.deep.equal(answers.map(() => isRead));
      const document = eventDocument({ metric: 'Visit', profile: { [name]: value, external_id: `${external_id}-e` } });
      const { headers, body } = await client.post('/compat/v1/events', document, { expect: 202 });
      expect(headers['x-klaviyo-partial-failure'], value).to.equal(isRead ? undefined : name);
      const { identifiers } = (
        await client.get(`/v1/profiles/${body.data.relationships.profile.data.id}`, { expect: 200 })
      ).body;
      expect(identifiers[member], value).to.equal(isRead ? upserted.body.identifiers[member] : null);
      if (isRead) expect(answers[3]?.body.data.relationships.profile.data.id, value).to.equal(upserted.body.id);
      if (isRead) read += 1;
      else refused += 1;
    }
    expect(Math.min(read, refused)).to.be.above(0);
  });

  it('of a domain are one customer, who is shown as they were sent', async () => {
    const { id } = await upsert({ email: 'info@xn--bcher-kva.example' });
    const { identifiers } = await upsert({ email: 'info@bücher.example', external_id: 'c1' });
    expect(identifiers).to.deep.equal({ email: 'info@bücher.example', phone: null, external_id: 'c1' });
    expect(await upsert({ email: 'info@XN--BCHER-KVA.example' })).to.deep.include({ id });
    expect(await visit({ external_id: 'c1' })).to.have.property('profile_id', id);
  });

  it('find the same customers in filters and prefixes', async () => {
    const { id } = await upsert({ email: 'info@bücher.example', phone: '+44 (0)20 7946 0958' });
    const find = async (filter: Record<string, string>) => {
      const { body } = await client.get(`/v1/profiles?${new URLSearchParams(filter)}`, { expect: 200 });
      return body.profiles.map((profile: { id: string }) => profile.id);
    };
    for (const filter of [
      { email: 'info@bücher.example' },
      { email: 'info@bu\u0308cher.example' },
      { email: 'info@xn--bcher-kva.example' },
      { email_prefix: 'INFO@' },
      { email_prefix: 'info@bu\u0308ch' },
      { email_prefix: 'info@xn--b' },
      { phone: '+44 20 7946 0958' },
      { phone: '+44 (0)20 7946 0958' },
      { phone_prefix: '+٤٤ ٢٠' },
    ]) {
      expect(await find(filter), JSON.stringify(filter)).to.deep.equal([id]);
    }
    for (const filter of [
      'equals(email,"info@bücher.example")',
      'equals(email,"info@xn--bcher-kva.example")',
      'any(email,["info@bücher.example","info@xn--bcher-kva.example"])',
      'equals(phone_number,"+44 (0)20 7946 0958")',
    ]) {
      const { body } = await client.get(`/compat/v1/profiles?filter=${encodeURIComponent(filter)}`, { expect: 200 });
      expect(body.data, filter).to.have.length(1).and.have.nested.property('[0].id', id);
    }
  });

  it('do not let an opt-out miss the customer', async () => {
    const subscribe = (email: string, job: string) => {
      const profile = { type: 'profile', attributes: { email } };
      return client.post(
        `/compat/v1/${job}`,
        { data: { type: job.slice(0, -1), attributes: { profiles: { data: [profile] } } } },
        { expect: 202 },
      );
    };
    await subscribe('info@bücher.example', 'profile-subscription-bulk-create-jobs');
    await subscribe('info@xn--bcher-kva.example', 'profile-subscription-bulk-delete-jobs');
    const { id } = await upsert({ email: 'info@bücher.example' });
    const { body } = await client.get(`/v1/profiles/${id}`, { expect: 200 });
    expect(body.consent.email.status).to.equal('unsubscribed');
  });

  it('are one in lists, in jobs, and where an address is added or dropped', async () => {
    const { id } = await upsert({ email: 'info@bücher.example' });
    const list = (await client.post('/v1/lists', { name: 'News' }, { expect: 201 })).body.id;
    const added = await client.post(`/v1/lists/${list}/members`, {
      members: [{ email: 'info@xn--bcher-kva.example' }, { email: 'info@bu\u0308cher.example' }],
    });
    expect(added.body).to.include({ added: 1, unchanged: 1 });
    await client.post('/compat/v1/profile-bulk-import-jobs', profileJobDocument([{ email: 'info@bücher。example' }]));
    const meta = (operation: string, email: string) => ({ meta: { patch_identifiers: { [operation]: { email } } } });
    const save = (fields: object, beside: object) =>
      client.post('/compat/v1/profiles', profileDocument({ ...fields, beside }), { expect: 201 });
    await save({ email: 'info@bücher.example' }, meta('append', 'zwei@bücher.example'));
    expect(await visit({ email: 'zwei@xn--bcher-kva.example' })).to.have.property('profile_id', id);
    await save({ email: 'info@bücher.example' }, meta('unappend', 'zwei@bu\u0308cher.example'));
    expect(await visit({ email: 'zwei@xn--bcher-kva.example' })).not.to.have.property('profile_id', id);
    await save({ email: 'info@bücher.example' }, meta('unappend', 'info@xn--bcher-kva.example'));
    expect(await visit({ email: 'info@xn--bcher-kva.example' })).to.have.property('profile_id', id);
  });

  it('create one profile at the same time', async () => {
    const spellings = [
      'info@bücher.example',
      'info@xn--bcher-kva.example',
      'info@bu\u0308cher.example',
      'İnfo@x.example',
    ];
    const sent = Array.from({ length: 40 }, (_, i) => visit({ email: spellings[i % 3] as string }));
    expect(new Set((await Promise.all(sent)).map(({ profile_id }) => profile_id))).to.have.property('size', 1);
  });

  it('of metrics and event types are one, on both surfaces', async () => {
    const [composed, decomposed] = ['commande_passée', 'commande_passe\u0301e'];
    expect(await visit({ external_id: 'c1' }, decomposed)).to.have.property('event_type', composed);
    for (const name of ['Commande Passée', 'Commande Passe\u0301e', 'Commande Pass\u00adée', 'Commande Passée\ufe0f']) {
      const document = eventDocument({ metric: name, profile: { external_id: 'c1' }, unique_id: 'once' });
      const { body } = await client.post('/compat/v1/events', document, { expect: 202 });
      expect(body.data.attributes.metric.data.attributes.name).to.be.oneOf([name, 'Commande Passée']);
    }
    for (const type of [composed, decomposed, `${composed}\u200b`]) {
      const query = new URLSearchParams({ event_type: type });
      const { body } = await client.get(`/v1/events?${query}`, { expect: 200 });
      expect(body.events, type).to.have.length(2);
    }
  });

  it('that show nothing are refused as names of metrics and event types, and as nothing else is', async () => {
    const path = 'data.attributes.metric.data.attributes.name';
    for (const hidden of ['\u200b', '\u3164\u200b', '\u200d', '\u2800', '\u{e0020}']) {
      const event = { event_type: hidden, profile: { external_id: 'c1' } };
      const single = await client.post<any>('/v1/events', event, { expect: 400 });
      expect(single.body.error, hidden).to.include({
        field: 'event_type',
        message: 'event_type must not consist of invisible characters',
      });
      const events = [{ ...event, event_type: 'seen' }, event];
      const bulk = await client.post<any>('/v1/events/bulk', { events }, { expect: 400 });
      expect(bulk.body.error.field).to.equal('events[1].event_type');
      const document = eventDocument({ metric: hidden, profile: { external_id: 'c1' } });
      const compat = await client.post<any>('/compat/v1/events', document, { expect: 400 });
      expect(compat.body.errors[0].source.pointer).to.equal(`/${path.replaceAll('.', '/')}`);
    }
    const empty = await client.post<any>('/v1/events', { event_type: '', profile: { external_id: 'c1' } });
    expect(empty.body.error.message).to.equal('event_type must not be empty');
    expect(await visit({ external_id: 'c1' }, '🎉\ufe0f')).to.have.property('event_type', '🎉');
  });

  it('of event types still find events of a version before', async () => {
    const { id: old, profile_id } = await visit({ external_id: 'c1' }, 'vue_passée');
    await service.database.query(`update event set event_type = 'vue_passe\u0301e' where id = '${old}'`);
    const { id } = await visit({ external_id: 'c1' }, 'vue_passe\u0301e');
    for (const path of ['/v1/events', `/v1/profiles/${profile_id}/events`]) {
      const query = new URLSearchParams({ event_type: 'vue_passe\u0301e' });
      const { body } = await client.get<any>(`${path}?${query}`, { expect: 200 });
      expect(body.events.map((event: any) => event.id)).to.deep.equal([id, old]);
    }
    const definition = { event: { type: 'vue_passe\u0301e', op: 'gte', value: 2 } };
    const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
    expect(body.member_estimate.estimate).to.equal(1);
    await service.database.query(`delete from event where id = '${id}'`);
    const only = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
    expect(only.body.warnings).to.deep.equal([]);
  });

  it('of event types are one where segments warn of those that nobody has', async () => {
    const event = { event_type: 'vue_passée', profile: { external_id: 'c1' }, properties: { city: 'Paris' } };
    await client.post('/v1/events', event, { expect: 201 });
    const warnings = async (type: string, property: string) => {
      const definition = { event: { type, where: [{ property, op: 'exists' }] } };
      const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
      return body.warnings.map(({ path }: any) => path);
    };
    for (const type of ['vue_passée', 'vue_passe\u0301e', 'vue_\u200bpassée']) {
      expect(await warnings(type, 'city'), type).to.deep.equal([]);
      expect(await warnings(type, 'town'), type).to.deep.equal(['event.where[0].property']);
    }
    expect(await warnings('vue_passee', 'city')).to.deep.equal(['event.type']);
  });

  it('of texts are one where segments compare them', async () => {
    for (const [email, city] of [
      ['a@example.com', 'Zu\u0308rich'],
      ['b@example.com', 'Zürich'],
      ['c@example.com', 'Zurich'],
    ]) {
      const attributes = { city, tags: [city] };
      await client.post('/v1/profiles/upsert', { identifiers: { email }, attributes }, { expect: 201 });
      const event = { event_type: 'besuch_in_zu\u0308rich', profile: { email }, properties: { city } };
      await client.post('/v1/events', event, { expect: 201 });
    }
    const ofCity = (name: string, op: string, value: unknown) => ({ attribute: { name, op, value } });
    const visited = (type: string, value: string) => ({
      event: { type, where: [{ property: 'city', op: 'eq', value }] },
    });
    for (const [definition, expected] of [
      [ofCity('city', 'eq', 'Zürich'), 2],
      [ofCity('city', 'eq', 'Zu\u0308rich'), 2],
      [ofCity('city', 'neq', 'Zürich'), 1],
      [ofCity('city', 'in', ['Zürich', 'Zurich']), 3],
      [ofCity('city', 'not_in', ['Zu\u0308rich']), 1],
      [ofCity('city', 'starts_with', 'Zu'), 1],
      [ofCity('city', 'starts_with', 'Zu\u0308'), 2],
      [ofCity('city', 'contains', 'u'), 1],
      [ofCity('tags', 'contains', 'Zürich'), 2],
      [visited('besuch_in_zürich', 'Zürich'), 2],
      [visited('besuch_in_zu\u0308rich', 'Zurich'), 1],
    ]) {
      const { body } = await client.post<any>('/v1/segments/preview', { definition }, { expect: 200 });
      expect(body.member_estimate.estimate, JSON.stringify(definition)).to.equal(expected);
    }
  });
});
