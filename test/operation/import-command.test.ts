import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { Command, type Ended, temporaryFolder, until } from '../support/process.ts';
import { builtProgram } from '../support/programs.ts';
import { TestService } from '../support/service.ts';

describe('npm run import', () => {
  let service: TestService;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let client: Client;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    service = await TestService.start();
    folder = await temporaryFolder();
  });
  beforeEach(async () => {
    const { key } = await service.newKey();
    client = new Client(service.url, key);
    env = { FOOTFALL_URL: service.url, FOOTFALL_KEY: key };
  });
  after(async () => {
    await folder.remove();
    await service.stop();
  });

  const start = (...args: string[]) => new Command(process.execPath, [builtProgram('scripts/import.ts'), ...args], env);
  const run = (...args: string[]): Promise<Ended> => start(...args).ended;

  async function write(name: string, content: string | Buffer): Promise<string> {
    const path = join(folder.path, name);
    await writeFile(path, content);
    return path;
  }

  const countProfiles = async (): Promise<number> => {
    let count = 0;
    for (let cursor = ''; ; ) {
      const { body } = await client.get(`/v1/profiles?limit=100${cursor}`, { expect: 200 });
      count += body.profiles.length;
      if (body.next_cursor === null) return count;
      cursor = `&cursor=${body.next_cursor}`;
    }
  };

  it('imports a file into a list, as its columns look like', async () => {
    await client.post('/v1/lists', { name: 'Old shop' }, { expect: 201 });
    const path = await write(
      'good.csv',
      'E-mail;First name;Points\nada@example.com;Ada;5\ngrace@example.com;Grace;7\n',
    );
    const { code, stdout, stderr } = await run(path, '--list', 'Old shop', '--map', 'First name=name');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('E-mail → email').and.include('First name → attribute name, text');
    expect(stdout).to.include('Rows: 2; customers created: 2, updated: 0; rows not written: 0');
    const { profiles } = (await client.get('/v1/profiles?email=ada@example.com', { expect: 200 })).body;
    expect(profiles[0].attributes).to.deep.equal({ name: 'Ada', points: 5 });
    const { lists } = (await client.get('/v1/lists', { expect: 200 })).body;
    expect(lists[0]).to.include({ name: 'Old shop', member_count: 2 });

    const again = await run(path, '--list', 'Old shop', '--map', 'First name=name');
    expect(again.code).to.equal(0);
    expect(again.stdout).to.include('imported before').and.include('customers created: 2');
  });

  it('imports history if it is told so, also from a file that was imported before', async () => {
    const path = await write('history.csv', 'email\nada@example.com\n');
    for (const options of [[], ['--backfill'], ['--backfill']]) expect((await run(path, ...options)).code).to.equal(0);
    const { imports } = (await client.get('/v1/imports', { expect: 200 })).body;
    expect(imports.map(({ backfill }: any) => backfill)).to.deep.equal([true, false]);
    expect((await run('--help')).stdout).to.include('--backfill ');
  });

  it('lists what can not be written in a file that spreadsheets do not compute', async () => {
    const path = await write('bad.csv', 'email,points\n"=cmd(""x"")",1\n@b,2\nc@example.com,3\n');
    const { code, stdout } = await run(path);
    expect(code).to.equal(2);
    expect(stdout).to.include('Rows: 3; customers created: 1, updated: 0; rows not written: 2');
    const errors = await readFile(`${path}.errors.csv`, 'utf8');
    expect(errors.split('\r\n')).to.deep.equal([
      'line,column,value,problem',
      `2,email,"'=cmd(""x"")",must be an e-mail address of at most 254 characters`,
      "3,email,'@b,must be an e-mail address of at most 254 characters",
      '',
    ]);
  });

  it('shows what it would write, and writes nothing', async () => {
    const path = await write('dry.csv', 'email,age\nada@example.com,36\nnobody,1\n');
    const { code, stdout } = await run(path, '--dry-run');
    expect(code).to.equal(0);
    expect(stdout).to.include('line 2: {"email":"ada@example.com","age":36}');
    expect(stdout).to.include('line 3: email must be an e-mail address');
    const chosen = await write('chosen.csv', 'email,born,s,since\nada@example.com,31.12.1990,yes,01.03.2026\n');
    const maps = ['s=consent:email_status', 'since=consent:email_changed_at:date_dmy'].flatMap((map) => ['--map', map]);
    const shown = (await run(chosen, '--dry-run', ...maps)).stdout;
    expect(shown).to.include('born → attribute born, date_dmy').and.include('s → consent email_status');
    expect(shown).to.match(/line 2: .*"born":"1990-12-31","consent":\[\{.*"changed_at":"2026-03-01T00:00:00.000Z"/);
    expect(await countProfiles()).to.equal(0);
  });

  it('reads UTF-16 and Windows-1252, and what is said to be in another encoding', async () => {
    const text = 'email,name\nzoe@example.com,Zoë\n';
    const wide = await write('wide.csv', Buffer.from(`\u{feff}${text}`, 'utf16le'));
    expect((await run(wide)).code).to.equal(0);
    const narrow = await write('narrow.csv', Buffer.from(text, 'latin1'));
    const guessed = await run(narrow);
    expect(guessed.stdout).to.include('not in UTF-8: it is read as windows-1252').and.include('updated: 1');
    const { stdout } = await run(narrow, '--encoding', 'windows-1252');
    expect(stdout).to.include('updated: 1').and.not.include('not in UTF-8');
    expect((await run(narrow, '--encoding', 'utf-8')).stderr).to.include('is not in utf-8; name its encoding');
    const { profiles } = (await client.get('/v1/profiles', { expect: 200 })).body;
    expect(profiles.map(({ attributes }: any) => attributes)).to.deep.equal([{ name: 'Zoë' }]);
  });

  it('says what is wrong with its arguments and with the file', async () => {
    const binary = await write('binary.csv', Buffer.from([0, 1, 2, 0, 0, 255, 254, 0, 0, 0]));
    const nameless = await write('nameless.csv', 'a,b\n1,2\n');
    const cases: [string[], string][] = [
      [[], 'Which file?'],
      [['missing.csv'], "missing.csv can't be read"],
      [['missing.csv', '--encoding', 'utf-8'], "missing.csv can't be read"],
      [[folder.path], "can't be read: EISDIR"],
      [[binary], 'is not'],
      [[await write('nul.csv', 'email\r\na@example.com\r\nb\0@example.com\r\n')], 'line 3 has a NUL character'],
      [[nameless], 'No column looks like'],
      [[nameless, '--list', 'No such'], 'There is no list "No such"'],
      [[nameless, '--map', 'c=email'], 'no column "c"'],
      [[nameless, '--consent', 'email'], '--consented-at'],
      [[nameless, '--map', 'a=consent:status'], 'one of email_status'],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await run(...args);
      expect(code, message).to.equal(1);
      expect(stderr).to.include(message);
    }
    env = { FOOTFALL_URL: service.url };
    expect((await run(nameless)).stderr).to.include('FOOTFALL_KEY');
    env = { FOOTFALL_URL: 'localhost:3000', FOOTFALL_KEY: 'ffk_x' };
    expect((await run(nameless)).stderr).to.equal(
      'FOOTFALL_URL must be the address of the service, as http://127.0.0.1:3000\n',
    );
  });

  it('says once that nothing answers while it tries again', async () => {
    const path = await write('away.csv', 'email\nada@example.com\n');
    const answers = createServer((socket) => socket.destroy());
    await once(answers.listen(0, '127.0.0.1'), 'listening');
    const { port } = answers.address() as AddressInfo;
    env = { ...env, FOOTFALL_URL: `http://127.0.0.1:${port}` };
    const command = start(path);
    let attempts = 0;
    answers.on('connection', () => {
      attempts += 1;
    });
    await until(async () => attempts > 3, 'it has tried several times');
    command.signal('SIGKILL');
    const { stderr } = await command.ended;
    answers.close();
    expect(stderr).to.equal(`No answer from http://127.0.0.1:${port}; trying for 5 minutes…\n`);
  });

  it('goes on with the same command after a kill, with each row once', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `c${i}@example.com,${'x'.repeat(300)}`);
    const path = await write('large.csv', ['email,note', ...rows].join('\n'));
    const sent = async () => ((await client.get('/v1/imports', { expect: 200 })).body.imports[0]?.parts ?? 0) > 0;
    const killed = start(path);
    await until(sent, 'a part is sent');
    killed.signal('SIGKILL');
    await killed.ended;
    const { code, stdout } = await run(path);
    expect(code, stdout).to.equal(0);
    expect(stdout).to.include('Rows: 3,000; customers created: 3,000, updated: 0; rows not written: 0');
    expect((await client.get('/v1/imports', { expect: 200 })).body.imports).to.have.length(1);
  });

  it('imports a catalog, and hides what a whole one does not have', async () => {
    const feed = (ids: string[]) =>
      `id,item_group_id,title,price,product_type\n${ids.map((id) => `${id}-v,${id},Tea ${id},9.90 EUR,Drinks > Tea\n`).join('')}`;
    const path = await write('products.csv', feed(['a', 'b', 'c']));
    const { code, stdout, stderr } = await run('--catalog', path, '--full');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include('Items created: 3, updated: 0, unchanged: 0, hidden: 0; products not written: 0');
    await write('products.csv', `${feed(['a', 'b'])}d,,Bad,free,\n`);
    const again = await run('--catalog', path, '--full');
    expect([again.code, again.stderr]).to.deep.equal([2, '']);
    expect(again.stdout).to.include('unchanged: 2, hidden: 1; products not written: 1');
    expect(await readFile(`${path}.errors.csv`, 'utf8')).to.equal(
      'line,column,value,problem\r\n4,price,,is not an amount of money\r\n',
    );
    const { items } = (await client.get('/v1/catalog/items?category=Drinks&status=published', { expect: 200 })).body;
    expect(items.map(({ id }: any) => id)).to.deep.equal(['a', 'b']);

    await write('products.csv', `${feed(['a'])}b-v,b,Tea,free,\n`);
    const unread = await run('--catalog', path, '--full');
    expect(unread.stdout).to.include('unchanged: 1, hidden: 0; products not written: 1');
    await write('products.csv', `${feed(['a'])},,Nameless,1,\n`);
    const nameless = await run('--catalog', path, '--full');
    expect(nameless.stdout).to.include('Nothing was hidden').and.include('hidden: 0; products not written: 1');

    await write('products.csv', '[{"id":"a"},');
    const cut = await run('--catalog', path, '--full');
    expect([cut.code, cut.stderr]).to.deep.equal([1, 'The file ends too early; nothing was hidden\n']);

    const many = Array.from({ length: 30 }, (_, i) => `t${i}`);
    await write('products.csv', feed(['a', 'b', ...many]));
    await run('--catalog', path, '--full');
    await write('products.csv', feed(['a', 'b']));
    const few = await run('--catalog', path, '--full');
    expect([few.code, few.stderr]).to.deep.equal([
      1,
      '30 of 32 items are not in the file. The others are written, and nothing was hidden: with --hide-missing, those are\n',
    ]);
    expect((await run('--catalog', path, '--full', '--hide-missing')).stdout).to.include('unchanged: 2, hidden: 30');
  });
});
