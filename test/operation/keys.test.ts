import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { runKeys, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'placed_order', profile: { email: 'ada@example.com' } };
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('The keys command', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  const keys = (...args: string[]) => runKeys(args, { DATABASE_URL: service.database.url });

  /** Runs a command that succeeds, and parses each line of its output. */
  async function keysJson(...args: string[]): Promise<Record<string, string>[]> {
    const { code, stdout, stderr } = await keys(...args, '--json');
    expect([code, stderr]).to.deep.equal([0, '']);
    return stdout.split(/(?<=\n)/).map((line) => JSON.parse(line));
  }

  async function create(...args: string[]): Promise<{ id: string; key: string }> {
    const lines = await keysJson('create', '--name', 'Shop', '--scopes', 'events:write', ...args);
    expect(lines).to.have.length(1);
    expect(Object.keys(lines[0] as object)).to.deep.equal(['id', 'key']);
    return lines[0] as { id: string; key: string };
  }

  async function statusOf(key: string, body: unknown = EVENT, path = '/v1/events'): Promise<number> {
    return (await new Client(service.url, key).post(path, body)).status;
  }

  it('creates a key that works at once, with the given scopes and tier', async () => {
    const { key } = await create('--tier', 'high_volume');
    const { headers } = await new Client(service.url, key).post('/v1/events', EVENT, { expect: 201 });
    expect(headers['ratelimit-limit']).to.equal('1400');
    const profile = { identifiers: { email: 'ada@example.com' } };
    expect(await statusOf(key, profile, '/v1/profiles/upsert')).to.equal(403);
  });

  it('leaves what it changes in the audit log', async () => {
    const scopes = ['--scopes', 'settings:manage', '--store', 'audited'];
    const { id, key } = await create(...scopes);
    const { id: other } = await create('--store', 'audited');
    await keys('set-tier', other, 'partner');
    await keys('revoke', other);
    const { body } = await new Client(service.url, key).get('/v1/audit-entries', { expect: 200 });
    expect(body.entries.map(({ operation, target, outcome }: any) => [operation, target, outcome])).to.deep.equal([
      ['keys revoke', other, 'done'],
      ['keys set-tier', other, 'done'],
      ['keys create', other, 'done'],
      ['keys create', id, 'done'],
    ]);
    expect(body.entries[3].fields).to.have.members(['name', 'scopes', 'store']);
  });

  it('prints a new key for people too, once', async () => {
    const { stdout } = await keys('create', '--name', 'Shop', '--scopes', 'events:write,profiles:write');
    expect(stdout).to.match(/^id {3}[0-9a-f-]{36}\nkey {2}ffk_[0-9A-Za-z]{38} .*once.*\n$/);
    const [, key = ''] = /(ffk_\w+)/.exec(stdout) ?? [];
    expect((await keys('list')).stdout).not.to.contain(key);
  });

  it('creates the named store, whose key sees only that store', async () => {
    const [first, second, other] = [
      await create('--store', 'north'),
      await create('--store', 'north'),
      await create('--store', 'south'),
    ];
    const event = { ...EVENT, idempotency_key: 'same' };
    const answers = [];
    for (const { key } of [first, second, other]) {
      answers.push((await new Client(service.url, key).post('/v1/events', event, { expect: 201 })).body.id);
    }
    expect(answers[1]).to.equal(answers[0]);
    expect(answers[2]).not.to.equal(answers[0]);
    expect(await keysJson('list', '--store', 'north')).to.have.length(2);
  });

  it('creates a key that expires when told to', async () => {
    const { key, id } = await create('--expires-at', '2020-01-31T00:00:00+01:00');
    expect(await statusOf(key)).to.equal(401);
    const listed = (await keysJson('list')).find((line) => line.id === id);
    expect(listed).to.include({ expires_at: '2020-01-30T23:00:00.000Z', revoked_at: null, name: 'Shop' });
  });

  it('revokes a key, which a running service notices', async () => {
    const { key, id } = await create();
    expect(await statusOf(key)).to.equal(201);
    expect(await keys('revoke', id)).to.include({ code: 0, stderr: '' });
    await until(async () => (await statusOf(key)) === 401, 'it is refused');
    expect((await keysJson('list')).find((line) => line.id === id)?.revoked_at).to.be.a('string');
  });

  it('prints stored names as text on one line, whatever they contain', async () => {
    const { id } = await create();
    const name = `Shop\x1b[2J\x9b1m\u202e\r\n${UNKNOWN}  Forged  \u2028`;
    await service.keys.create({ storeId: await service.newStore(), name, scopes: ['events:read'], tier: 'standard' });
    const { stdout } = await keys('list');
    for (const line of stdout.trim().split('\n')) {
      expect(line).not.to.match(/[\p{Cc}\u2028\u202e]/u);
      expect(line).not.to.match(new RegExp(`^${UNKNOWN}`));
    }
    const listed = await keysJson('list');
    expect(listed.map((line) => line.name)).to.include(name);
    expect(listed.map((line) => line.id)).to.include(id);
  });

  it('moves a key to another tier', async () => {
    const { key, id } = await create();
    const limit = async () => (await new Client(service.url, key).post('/v1/events', EVENT)).headers['ratelimit-limit'];
    expect(await limit()).to.equal('700');
    expect(await keys('set-tier', id, 'partner')).to.include({ code: 0, stderr: '' });
    await until(async () => (await limit()) === '3500', 'the tier is in force');
  });

  it('lists keys as a table with the names of their stores', async () => {
    const { id } = await create('--store', 'Shop in the west');
    const { stdout } = await keys('list', '--store', 'Shop in the west');
    const [headings = '', row = '', ...others] = stdout.trimEnd().split('\n');
    expect(headings).to.match(/^id +name +store +scopes +tier +created_at +last_used_at +expires_at +revoked_at$/);
    expect(others).to.deep.equal([]);
    expect(row.indexOf('Shop in the west')).to.equal(headings.indexOf('store'));
    expect(row.startsWith(id)).to.equal(true);
    expect((await keysJson('list')).find((line) => line.id === id)?.store).to.equal('Shop in the west');
  });

  const scopes = ['--scopes', 'events:write'];
  const mistakes: [args: string[], message: RegExp][] = [
    [[], /^Usage:\n/],
    [['create', 'My', '--name', 'Shop', ...scopes], /^Usage:\n/],
    [['create', ...scopes], /^--name is required$/m],
    [['create', '--name', 'a\nb', ...scopes], /^--name must be on one line, without control characters$/m],
    [['create', '--name', '🛍'.repeat(101), ...scopes], /^--name must have at most 100 characters$/m],
    [
      ['create', '--name', 'Shop', '--store', 'a'.repeat(256), ...scopes],
      /^--store must have at most 255 characters$/m,
    ],
    [['create', '--name', 'Shop', '--store', 'a\x1b[2Jb', ...scopes], /^--store must be on one line, /m],
    [['create', '--name', 'Shop', '--scopes', 'events:write,all'], /^--scopes must list some of events:write, /m],
    [['create', '--name', 'Shop', ...scopes, '--tier', 'gold'], /^The tier must be one of standard, high_volume, /m],
    [['create', '--name', 'Shop', ...scopes, '--expires-at', 'soon'], /^--expires-at must be an RFC 3339 timestamp /m],
    [['create', '--nmae', 'Shop'], /'--nmae'/],
    [['list', '--store', 'nowhere'], /^There is no store "nowhere"$/m],
    [['revoke', 'ffk_key'], /^Give the id of a key, as list shows it$/m],
    [['revoke', UNKNOWN], /^There is no key 0000/m],
    [['set-tier', UNKNOWN, 'partner'], /^There is no key 0000/m],
  ];
  it('explains what is wrong with a command, and exits with 1', async () => {
    await Promise.all(
      mistakes.map(async ([args, message]) => {
        const { code, stdout, stderr } = await keys(...args);
        expect([code, stdout], args.join(' ')).to.deep.equal([1, '']);
        expect(stderr).to.match(message);
        expect(stderr).not.to.match(/^ {4}at /m);
      }),
    );
  });
});
