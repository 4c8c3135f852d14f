import { expect } from 'chai';
import type { Client, Response } from '../support/client.ts';
import { until } from '../support/process.ts';
import { UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const JSON_BODY = { headers: { 'Content-Type': 'application/json' } };

describe('Coupons', () => {
  let service: TestService;
  /** Another service on the same database, with connections of its own. */
  let second: TestService;
  let client: Client;
  let other: Client;

  before(async () => {
    service = await TestService.start();
    second = await TestService.start({}, service.database);
  });
  beforeEach(async () => {
    const { key } = await service.newKey();
    client = (await service.client()).as(key);
    other = (await second.client()).as(key);
  });
  after(async () => {
    await second.stopService();
    await service.stop();
  });

  const create = async (input: object = {}) =>
    (await client.post<any>('/v1/coupon-pools', { name: 'Welcome', kind: 'uploaded', ...input }, { expect: 201 })).body;
  const refusal = ({ status, body }: Response<any>) => [status, body.error.field, body.error.message];
  const pool = async (id: string) => (await client.get<any>(`/v1/coupon-pools/${id}`, { expect: 200 })).body;
  const patch = (id: string, body: object) =>
    client.send<any>('PATCH', `/v1/coupon-pools/${id}`, JSON.stringify(body), JSON_BODY);
  const remove = (id: string) => client.send<any>('DELETE', `/v1/coupon-pools/${id}`, undefined);
  const codesOf = (count: number) => Array.from({ length: count }, (_, n) => `CODE-${n}`);
  const add = async (id: string, body: object) =>
    (await client.post<any>(`/v1/coupon-pools/${id}/codes`, body, { expect: 200 })).body;
  const list = async (id: string, query = '') =>
    (await client.get<any>(`/v1/coupon-pools/${id}/codes${query}`, { expect: 200 })).body;
  const assign = (id: string, profile_id: string, by = client, more: object = {}) =>
    by.post<any>(`/v1/coupon-pools/${id}/assign`, { profile_id, ...more });
  const mark = async (id: string, codes: object[]) =>
    (await client.post<any>(`/v1/coupon-pools/${id}/mark`, { codes }, { expect: 200 })).body;
  const customers = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, n) => `cust_${n}`);
    const events = ids.map((external_id) => ({ event_type: 'seen', profile: { external_id } }));
    const { body } = await client.post<any>('/v1/events/bulk', { events }, { expect: 201 });
    const recorded = body.events.map(({ id }: any) => `'${id}'`);
    const profiles = await service.database.query<{ id: string }>(
      `select profile_id as id from event where id in (${recorded})`,
    );
    return profiles.map(({ id }) => id);
  };

  describe('POST /v1/coupon-pools', () => {
    it('creates an empty pool', async () => {
      const created = await create({ low_below: 5, expires_at: '2099-09-01T00:00:00Z' });
      expect(created).to.include({ kind: 'uploaded', per: 'customer', pattern: null, is_low: true, code_count: 0 });
      expect(await pool(created.id)).to.deep.equal(created);
    });

    it('refuses a pattern that is missing, not needed, or easily guessed, and the 101st pool', async () => {
      const attempts = [
        { kind: 'generated' },
        { kind: 'uploaded', pattern: '########' },
        { kind: 'generated', pattern: 'SUMMER-#######' },
      ].map((input) => client.post<any>('/v1/coupon-pools', { name: 'P', ...input }));
      expect((await Promise.all(attempts)).map(refusal)).to.deep.equal([
        [400, 'pattern', 'pattern is required for a pool of generated codes'],
        [400, 'pattern', 'pattern is for a pool of generated codes'],
        [400, 'pattern', 'pattern must have 8 or more "#", each of which is drawn'],
      ]);
      const { id } = await create();
      await service.database.query(`
        insert into coupon_pool (store_id, id, name, kind, per, codes, created_at, updated_at)
        select store_id, gen_random_uuid(), name, kind, per, 0, created_at, updated_at
        from coupon_pool, generate_series(1, 99) where id = '${id}'`);
      const last = await client.post<any>('/v1/coupon-pools', { name: 'P', kind: 'uploaded' });
      expect(refusal(last)).to.deep.equal([400, null, 'The store already has 100 pools; delete one first']);
    });
  });

  it('GET /v1/coupon-pools and PATCH /v1/coupon-pools/{id}: a change leaves what is not sent', async () => {
    const [first, next] = [await create({ low_below: 5 }), await create({ name: 'Summer' })];
    const { body } = await patch(first.id, { name: 'Hello', expires_at: '2099-09-01T00:00:00Z' });
    expect(body).to.include({ name: 'Hello', low_below: 5, expires_at: '2099-09-01T00:00:00.000Z' });
    expect((await patch(first.id, { expires_at: null, low_below: null })).body).to.include({
      ...{ name: 'Hello', low_below: null, is_low: false, expires_at: null },
    });
    const { pools } = (await client.get<any>('/v1/coupon-pools')).body;
    expect(pools.map(({ id }: any) => id)).to.deep.equal([next.id, first.id]);
    expect((await patch(UNKNOWN_ID, { name: 'Hello' })).status).to.equal(404);
  });

  describe('POST /v1/coupon-pools/{id}/codes', () => {
    it('adds each code once, and counts the others', async () => {
      const { id } = await create({ low_below: 3 });
      expect(await add(id, { codes: ['A', 'B', 'A'] })).to.deep.equal({ added_count: 2, duplicate_count: 1 });
      expect(await add(id, { codes: ['B', 'C', 'a'] })).to.deep.equal({ added_count: 2, duplicate_count: 1 });
      expect(await pool(id)).to.include({ code_count: 4, free_count: 4, is_low: false });
    });

    it('adds what several send at a time once', async () => {
      const { id } = await create();
      const codes = codesOf(50);
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          (n % 2 ? client : other).post<any>(`/v1/coupon-pools/${id}/codes`, {
            codes: n % 3 ? codes : codes.toReversed(),
          }),
        ),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(6).fill(200));
      expect(answers.reduce((sum, { body }) => sum + body.added_count, 0)).to.equal(50);
      expect(await pool(id)).to.include({ code_count: 50, free_count: 50 });
    });

    it('draws codes by the pattern, once for a key', async () => {
      const { id } = await create({ kind: 'generated', pattern: 'HI-####-####' });
      for (let times = 0; times < 2; times += 1) {
        expect(await add(id, { generate: 60, idempotency_key: 'one' })).to.deep.equal({
          ...{ added_count: 60, duplicate_count: 0 },
        });
      }
      const { codes } = await list(id, '?limit=100');
      expect(codes).to.have.length(60);
      for (const { code } of codes) expect(code).to.match(/^HI-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
    });

    it('refuses codes of the other kind, none or both, what is no code, and more than a pool may have', async () => {
      const [uploaded, generated] = [await create(), await create({ kind: 'generated', pattern: '########' })];
      const attempt = async (id: string, body: object) =>
        refusal(await client.post<any>(`/v1/coupon-pools/${id}/codes`, body)).slice(0, 2);
      expect(await attempt(uploaded.id, { generate: 2 })).to.deep.equal([400, 'generate']);
      expect(await attempt(generated.id, { codes: ['A'] })).to.deep.equal([400, 'codes']);
      expect(await attempt(uploaded.id, { codes: ['A'], generate: 2 })).to.deep.equal([400, 'generate']);
      expect(await attempt(uploaded.id, { idempotency_key: 'a' })).to.deep.equal([400, 'codes']);
      for (const code of ['', 'A B', 'Ä', 'A\n', 'A'.repeat(101)]) {
        expect(await attempt(uploaded.id, { codes: ['OK', code] })).to.deep.equal([400, 'codes[1]']);
      }
      await service.database.query(`update coupon_pool set codes = 999999 where id = '${uploaded.id}'`);
      expect(await attempt(uploaded.id, { codes: ['A', 'B'] })).to.deep.equal([400, null]);
      expect(await add(uploaded.id, { codes: ['A'] })).to.include({ added_count: 1 });
      expect(await add(uploaded.id, { codes: ['A'] })).to.include({ duplicate_count: 1 });
    });
  });

  describe('POST /v1/coupon-pools/{id}/assign', () => {
    it('gives 200 who ask at once the 100 codes that there are, one each, by two services', async () => {
      const [{ id }, profiles] = [await create(), await customers(200)];
      await add(id, { codes: codesOf(100) });
      const answers = await Promise.all(profiles.map((profile, n) => assign(id, profile, n % 2 ? client : other)));
      const given = answers.filter(({ status }) => status === 201);
      expect(given).to.have.length(100);
      expect(new Set(given.map(({ body }) => body.code))).to.have.property('size', 100);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect(refusal(answer)).to.deep.equal([400, null, 'The pool has no free code; add some first']);
      }
      expect(await pool(id)).to.include({ free_count: 0, assigned_count: 100 });
    });

    it('gives a customer one code, however often and wherever it is asked for at once', async () => {
      const [{ id }, profiles] = [await create(), await customers(5)];
      await add(id, { codes: codesOf(5) });
      const asked = Array.from({ length: 60 }, (_, n) => profiles[n % 5] as string);
      const answers = await Promise.all(asked.map((profile, n) => assign(id, profile, n % 2 ? client : other)));
      const codes = asked.map((profile, n) => `${profile} ${answers[n]?.body.code}`);
      expect(new Set(codes)).to.have.property('size', 5);
      expect(answers.filter(({ status }) => status === 201)).to.have.length(5);
      expect(answers.filter(({ status }) => status === 200)).to.have.length(55);
      expect(await pool(id)).to.include({ free_count: 0, assigned_count: 5 });
    });

    it('gives codes in their order, and another each time where the pool has one per run', async () => {
      const [{ id }, [ada]] = [await create({ per: 'run' }), (await customers(1)) as [string]];
      await add(id, { codes: ['Z', 'A', 'M'] });
      expect((await assign(id, ada)).body.code).to.equal('Z');
      const once = { idempotency_key: 'one' };
      for (let times = 0; times < 2; times += 1) {
        expect((await assign(id, ada, client, once)).body.code).to.equal('A');
      }
      expect((await assign(id, ada)).body.code).to.equal('M');
    });

    it('refuses customers and pools that are not there, and a pool that has expired', async () => {
      const [{ id }, [ada]] = [await create(), (await customers(1)) as [string]];
      await add(id, { codes: ['A'] });
      expect(refusal(await assign(id, UNKNOWN_ID))).to.deep.equal([
        ...[400, 'profile_id', 'profile_id is not the id of a profile'],
      ]);
      expect(await pool(id)).to.include({ free_count: 1 });
      expect((await assign(UNKNOWN_ID, ada)).status).to.equal(404);
      await patch(id, { expires_at: '2025-01-01T00:00:00Z' });
      expect(refusal(await assign(id, ada))).to.deep.equal([400, null, 'The pool has expired']);
    });
  });

  describe('POST /v1/coupon-pools/{id}/mark', () => {
    it('marks a code once, and gives the customer of a void one another', async () => {
      const [{ id }, [ada, eve]] = [await create(), (await customers(2)) as [string, string]];
      await add(id, { codes: ['A', 'B', 'C', 'D'] });
      await assign(id, ada);
      await assign(id, eve);
      const marks = [
        { code: 'A', status: 'used', order_id: '7' },
        { code: 'B', status: 'void' },
        { code: 'A', status: 'void' },
        { code: 'X', status: 'void' },
      ];
      const { codes, ...counts } = await mark(id, marks);
      expect(counts).to.deep.equal({ marked_count: 2, unchanged_count: 1, unknown_count: 1 });
      expect(codes.map(({ status }: any) => status)).to.deep.equal(['marked', 'marked', 'unchanged', 'unknown']);
      expect(await mark(id, marks.slice(0, 1))).to.include({ marked_count: 0, unchanged_count: 1 });
      expect(await pool(id)).to.include({ free_count: 2, assigned_count: 0, used_count: 1, void_count: 1 });
      expect((await assign(id, ada)).body).to.include({ code: 'A', status: 'used', order_id: '7' });
      expect((await assign(id, eve)).body).to.include({ code: 'C', status: 'assigned' });
    });
  });

  it('GET /v1/coupon-pools/{id}/codes and GET /v1/profiles/{id}/coupons list codes page by page', async () => {
    const [{ id }, next, [ada]] = [await create(), await create(), (await customers(1)) as [string]];
    await add(id, { codes: ['A', 'B', 'C'] });
    await add(next.id, { codes: ['D'] });
    for (const one of [id, next.id]) await assign(one, ada);
    const page = await list(id, '?limit=2');
    expect(page.codes.map(({ code }: any) => code)).to.deep.equal(['C', 'B']);
    expect((await list(id, `?limit=2&cursor=${page.next_cursor}`)).codes).to.have.length(1);
    expect((await list(id, '?status=assigned')).codes.map(({ code }: any) => code)).to.deep.equal(['A']);
    expect((await list(id, '?since=2099-01-01T00:00:00Z')).codes).to.deep.equal([]);
    expect((await list(id, `?since=${page.codes[0].created_at}`)).codes).to.have.length(3);
    const own = (await client.get<any>(`/v1/profiles/${ada}/coupons`)).body.codes;
    expect(own.map(({ code, pool_id }: any) => [code, pool_id])).to.deep.equal([
      ...[
        ['D', next.id],
        ['A', id],
      ],
    ]);
    expect((await client.get(`/v1/profiles/${UNKNOWN_ID}/coupons`)).status).to.equal(404);
  });

  it('GET and DELETE /v1/coupon-pools/{id}: a deleted pool is gone at once, and its codes soon', async () => {
    const [{ id }, [ada]] = [await create(), (await customers(1)) as [string]];
    await add(id, { codes: codesOf(20) });
    await assign(id, ada);
    const { body } = await remove(id);
    expect(body).to.include({ id, code_count: 20, assigned_count: 1 });
    expect((await remove(id)).headers['idempotency-replayed']).to.equal('true');
    expect((await client.get(`/v1/coupon-pools/${id}`)).status).to.equal(404);
    expect((await assign(id, ada)).status).to.equal(404);
    await until(
      async () => (await service.database.query('select from coupon_pool_deletion')).length === 0,
      'the codes are gone',
    );
    expect(await service.database.query(`select from coupon_code where pool_id = '${id}'`)).to.deep.equal([]);
  });
});
