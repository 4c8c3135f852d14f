import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { eventJobDocument } from '../compat/documents.ts';
import { runJob } from '../compat/steps.ts';
import { Client } from '../support/client.ts';
import { Command, type Ended, ServiceProcess, temporaryFolder, until } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;
/** Bytes of the tarball and of what it unpacks to, which is the service, its dashboard, its docs and the client. */
const MAX_PACKED = 2_500_000;
const MAX_UNPACKED = 10_000_000;

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

describe('a release', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let packed: Packed;

  /** On the Node of the machine, and on nothing of this project's. */
  const own = join(ROOT, 'node_modules/.bin');
  const PATH = process.env.PATH?.split(':')
    .filter((entry) => entry !== own)
    .join(':');

  before(async () => {
    folder = await temporaryFolder();
    // Nothing that was built before is packed.
    await rm(join(ROOT, 'dist/service'), { recursive: true, force: true });
    const pack = ['pack', '--ignore-scripts=false', '--json', '--loglevel=error', '--pack-destination', folder.path];
    [packed] = JSON.parse((await succeed(new Command('npm', pack, { PATH }))).stdout);
  });
  after(() => folder.remove());

  async function succeed(command: Command): Promise<Ended> {
    const ended = await command.ended;
    expect(ended.code, ended.stdout + ended.stderr).to.equal(0);
    return ended;
  }

  it('is a package of what runs, and of nothing that it is made from', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).to.include.members([
      'dist/service/src/main.js',
      'dist/service/openapi/native.yaml',
      'dist/service/src/docs/guides/index.md',
      'dist/service/src/docs/assets/docs.css',
      'dist/service/dist/dashboard/index.html',
      'dist/service/dist/dashboard/onsite/klaviyo.js',
      'dist/client/package.json',
      'scripts/footfall.mjs',
    ]);
    const needed = /^(package\.json|README\.md|scripts\/\w+\.mjs|dist\/(client|service)\/.+\.\w+)$/;
    expect(paths.filter((path) => !needed.test(path))).to.deep.equal([]);
    expect(paths.filter((path) => /(?<!\.d)\.tsx?$|\.test\.|(^|\/)test\//.test(path))).to.deep.equal([]);
    expect(packed.size).to.be.below(MAX_PACKED);
    expect(packed.unpackedSize).to.be.below(MAX_UNPACKED);
  });

  it('imports nothing but what is installed without the development packages', async () => {
    const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const imported = new Set<string>();
    const built = join(ROOT, 'dist/service');
    for (const name of await readdir(built, { recursive: true })) {
      if (!name.endsWith('.js') || name.startsWith('dist/')) continue;
      const source = await readFile(join(built, name), 'utf8');
      for (const [, specifier = ''] of source.matchAll(/^(?:import|export)\b(?:[^;'"]*\bfrom)? '([^']+)'/gm)) {
        imported.add(specifier);
      }
    }
    const packages = [...imported]
      .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
    expect(packages).to.include.members(['koa', 'pg', '@faker-js/faker']);
    expect(packages.filter((name) => !Object.hasOwn(dependencies, name ?? ''))).to.deep.equal([]);
  });

  describe('that is installed in an empty folder', () => {
    let app: string;
    let env: NodeJS.ProcessEnv;
    let program: string;
    let service: ServiceProcess | undefined;

    afterEach(async () => {
      await service?.stop();
      service = undefined;
    });

    before(async function () {
      app = join(folder.path, 'app');
      const home = join(folder.path, 'home');
      for (const made of [app, home]) await mkdir(made);
      program = join(app, 'node_modules/.bin/footfall');
      // No setting of this machine's, and nothing that an earlier start has compiled.
      env = { PATH, HOME: home, PORT: '0', NODE_COMPILE_CACHE: undefined };
      const tarball = join(folder.path, packed.filename);
      // Where it can't be reached, that is found out soon; in CI it can, or that has to be seen to.
      const patience = process.env.CI ? [] : ['--fetch-retries=0', '--fetch-timeout=20000'];
      const install = ['install', '--prefix', app, '--no-audit', '--prefer-offline', ...patience, tarball];
      // With what the environment says of the way to the registry.
      const { code, stderr } = await new Command('npm', install, { ...process.env, PATH }, app).ended;
      if (code !== 0 && UNREACHABLE.test(stderr) && !process.env.CI) this.skip();
      expect(code, stderr).to.equal(0);
    });

    const footfall = (...args: string[]) => new Command(program, args, env, app);
    const postmaster = () => join(app, '.data/postgres/postmaster.pid');

    it('has what makes HTML of templates', async () => {
      const module = join(app, 'node_modules/footfall/dist/service/src/domain/templates/compiling/to-html.js');
      const bodies = { mjml: '<mjml><mj-body></mj-body></mjml>', html: '<style>p{color:red}</style><p>a</p>' };
      const code = `
        const { toHtml } = await import(${JSON.stringify(pathToFileURL(module).href)});
        for (const [kind, body] of Object.entries(${JSON.stringify(bodies)})) {
          console.log((await toHtml(kind, body, { field: 'body', locale: 'en' })).html);
        }`;
      const { stdout, stderr } = await succeed(
        new Command(process.execPath, ['--input-type=module', '-e', code], env, app),
      );
      expect(stdout)
        .to.match(/<!doctype html>/i)
        .and.to.contain('<p style="color: red;">a</p>');
      expect(stderr).to.equal('');
    });

    it('serves all that it has by one command, and ends with whoever started it', async () => {
      service = new ServiceProcess(env, ['npx', 'footfall'], app);
      const url = await service.url();
      const client = new Client(url, service.key);
      await client.get('/health/ready', { expect: 200 });
      for (const path of ['/docs', '/docs/quick-start', '/docs/assets/scalar.js', '/openapi/compat.json']) {
        await client.get(path, { expect: 200 });
      }
      const { body: page } = await client.get('/dashboard', { expect: 200 });
      await client.get(/src="(\S+)"/.exec(page)?.[1] as string, { expect: 200 });

      // What threads work at, too.
      const events = Array.from({ length: 800 }, (_, n) => ({
        event_type: 'viewed_product',
        profile: { external_id: `c${n}` },
        properties: { text: 'x'.repeat(100) },
      }));
      const bulk = await client.post('/v1/events/bulk', { events }, { expect: 201 });
      expect(bulk.body.created).to.equal(800);
      const group = { profile: { email: 'ada@example.com' }, events: [{ metric: 'Visit', unique_id: 'a' }] };
      const job = await runJob(client, eventJobDocument([group]));
      expect(job.attributes).to.include({ status: 'complete', completed_count: 1 });

      const { createClient } = await import(
        pathToFileURL(join(app, 'node_modules/footfall/dist/client/src/client/index.js')).href
      );
      const { stdout } = await succeed(
        footfall('keys', 'create', '--name', 'Shop', '--scopes', 'events:write', '--json'),
      );
      const shop = createClient({ baseUrl: url, apiKey: JSON.parse(stdout).key });
      expect(await shop.createEvent({ event_type: 'visit', profile: { external_id: 'c1' } })).to.have.property('id');

      await writeFile(join(app, 'customers.csv'), 'email\nada@example.com\n');
      const settings = { ...env, FOOTFALL_URL: url, FOOTFALL_KEY: service.key };
      const imported = await succeed(new Command(program, ['import', 'customers.csv'], settings, app));
      expect(imported.stdout).to.contain('rows not written: 0');

      await succeed(footfall('backup', join(app, 'backup')));
      expect(existsSync(join(app, 'backup'))).to.equal(true);

      service.signal('SIGTERM');
      await service.ended;
      expect(service.stdout).to.contain('"msg":"stopped"');
      expect(existsSync(postmaster())).to.equal(false);
    });

    it('exits with 0 on a SIGTERM, and leaves nothing behind', async () => {
      service = new ServiceProcess(env, [program], app);
      const url = await service.url();
      expect(await service.stop()).to.include({ code: 0 });
      expect(await fetch(url).catch(() => 'refused')).to.equal('refused');
      await until(() => !existsSync(postmaster()), 'Postgres has stopped');
    });

    it('says what each command does, and which there are', async () => {
      const { stdout: help } = await succeed(footfall('--help'));
      for (const command of [
        'start',
        'worker',
        'keys',
        'demo',
        'backup',
        'restore',
        'automations',
        'distribute',
        'migrations',
      ]) {
        const { stdout, stderr } = await succeed(footfall(command, '--help'));
        expect(stderr).to.equal('');
        expect(stdout).to.match(new RegExp(`npx footfall${command === 'start' ? '$' : ` ${command}`}`, 'm'));
        expect(help).to.match(new RegExp(`^ {2}${command} `, 'm'));
      }
      const unknown = await footfall('serve').ended;
      expect([unknown.code, unknown.stdout]).to.deep.equal([1, '']);
      expect(unknown.stderr).to.match(/^There is no command "serve"\.\nUsage: /);
    });
  });
});
