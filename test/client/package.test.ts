import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildClient } from '../../scripts/build-client.ts';
import { createClient, type Options } from '../../src/client/index.ts';
import { repeatEvery } from '../../src/concurrency/repeat-every.ts';
import { Compiler } from '../support/compiler.ts';
import { Command, temporaryFolder } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
/** As strict as a program may be. */
const STRICT = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--target',
  'es2022',
];

/** A program that uses every kind of thing the package exports, and some that must not compile. */
const CONSUMER = `
import { type Arguments, type Client, createClient, type Event, FootfallError, type Result } from '@footfall/client';
const footfall: Client = createClient({ baseUrl: 'https://footfall.example.com', apiKey: 'ffk_', fetch });
const order: Arguments<'createEvent'> = { event_type: 'placed_order', profile: { phone: '+44 20 7946 0958' } };
const event: Event = await footfall.createEvent(order);
const { duplicates }: Result<'createEventsBulk'> = await footfall.createEventsBulk({ events: [order] });
export const seen = [event.id.length, duplicates.toFixed(), FootfallError.name];
// @ts-expect-error: it has no profile
await footfall.createEvent({ event_type: 'placed_order' });
// @ts-expect-error: it is misspelt
await footfall.upsertProfile({ identifiers: { mail: 'ada@example.com' } });
// @ts-expect-error: it may be null
event.idempotency_key.length;
`;

describe('The package @footfall/client', () => {
  const compiler = new Compiler();
  let service: TestService;
  let consumer: Awaited<ReturnType<typeof temporaryFolder>>;
  let installed: string;

  before(async () => {
    service = await TestService.start();
    consumer = await temporaryFolder();
    installed = join(consumer.path, 'node_modules/@footfall/client');
    await mkdir(join(consumer.path, 'node_modules/@footfall'), { recursive: true });
    await buildClient(join(consumer.path, 'built'));
    await rename(join(consumer.path, 'built'), installed);
    await writeFile(join(consumer.path, 'package.json'), JSON.stringify({ type: 'module' }));
  });

  after(async () => {
    await consumer.remove();
    await service.stop();
  });

  /** A program, with the package that it uses. */
  async function typeCheck(program: string, ...options: string[]) {
    await writeFile(join(consumer.path, 'program.ts'), program);
    const types = (await readdir(installed, { recursive: true })).filter((name) => name.endsWith('.d.ts'));
    expect(types).not.to.be.empty;
    const files = [join(consumer.path, 'program.ts'), ...types.map((name) => join(installed, name))];
    expect(compiler.problemsWith([...STRICT, ...options], files)).to.equal('');
  }

  it('has the version of the service and no dependencies', async () => {
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
    const manifest = await read(join(installed, 'package.json'));
    const { version } = await read(join(ROOT, 'package.json'));
    expect(manifest).to.include({ name: '@footfall/client', version, type: 'module', sideEffects: false });
    expect(manifest).not.to.have.any.keys('dependencies', 'peerDependencies', 'optionalDependencies');
  });

  it('type-checks in a bundled page', async () => {
    await typeCheck(CONSUMER, '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom');
  });

  it('type-checks in a Node program', async () => {
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    await typeCheck(CONSUMER, '--module', 'nodenext', '--lib', 'es2022', ...types);
  });

  it('runs the examples of its README', async () => {
    const { key } = await service.newKey();
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    const examples = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code).join('\n');
    const program = examples.replaceAll('https://footfall.example.com', service.url).replaceAll('ffk_…', key);
    await typeCheck(program, '--module', 'nodenext', '--lib', 'es2022,dom');
    const command = new Command(process.execPath, [join(consumer.path, 'program.ts')]);
    // Something happens, for the example of a stream to see.
    const store = createClient({ baseUrl: service.url, apiKey: key });
    const visit = () => store.createEvent({ event_type: 'visit', profile: { external_id: 'cust_2' } });
    const ended = await command.ended.finally(repeatEvery(200, visit));
    expect(ended.code, ended.stderr).to.equal(0);
    expect(ended.stdout).to.match(/^[0-9a-f-]{36} [0-9a-f-]{36}\nAda\n\d+\ncust_1001\nvisit\n$/);
    expect(ended.stderr).to.match(/^validation_error 400 profile\.email .+ [0-9a-f-]{36}\n$/);
  });

  it('names an option that is missing, or an address or key that is not valid, when it is created', () => {
    const baseUrl = 'https://footfall.example.com';
    const wrong: [options: object | undefined, message: RegExp][] = [
      [undefined, /^createClient: baseUrl must be the address/],
      [{}, /^createClient: baseUrl must be the address/],
      [{ baseUrl: '', apiKey: 'ffk_' }, /baseUrl/],
      [{ baseUrl: 'footfall.example.com', apiKey: 'ffk_' }, /baseUrl/],
      [{ baseUrl: 'ftp://footfall.example.com', apiKey: 'ffk_' }, /baseUrl/],
      [{ baseUrl, apiKey: undefined }, /^createClient: apiKey must be an API key/],
      [{ baseUrl, apiKey: '' }, /apiKey/],
      [{ baseUrl, apiKey: 'ffk_\n' }, /apiKey/],
    ];
    for (const [options, message] of wrong) {
      expect(() => createClient(options as Options), JSON.stringify(options)).to.throw(TypeError, message);
    }
  });
});
