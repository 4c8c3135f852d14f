import { readFileSync } from 'node:fs';
import { cp, glob, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { Compiler } from '../support/compiler.ts';
import { Command, type Ended, temporaryFolder } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');

/** What the guide shows in one of its steps, in its order: commands, files, and what is said without the step. */
interface Step {
  commands: string[];
  code: string[];
  without: RegExp;
}

function readStep(number: number): Step {
  const [, section = ''] = GUIDE.split(new RegExp(`^### ${number}\\. .*$`, 'm'));
  const [text = ''] = section.split(/^### /m);
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language, content = '']) => ({
    language,
    content,
  }));
  const ofLanguage = (...languages: string[]) =>
    blocks.filter(({ language = '' }) => languages.includes(language)).map(({ content }) => content);
  const [said = ''] = ofLanguage('text');
  const pattern = said
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return {
    commands: ofLanguage('sh').map((line) => line.trim()),
    code: ofLanguage('ts', 'yaml'),
    without: new RegExp(pattern),
  };
}

/** What the guide's example needs of the project. */
const COPIED = [
  ...['openapi', 'generated', 'src', 'scripts', 'test', 'package.json', 'package-lock.json', 'tsconfig.json'],
  ...['.dependency-cruiser.mjs', 'biome.json', '.mocharc.js', '.gitignore', 'CHANGELOG.md'],
];
/** The tests of every operation that concern this one: its examples are sent. */
const TESTS_OF_EACH = "test/contract/examples.test.ts --grep 'getScopes|/v1/scopes|Every operation'";

/*
 * The guide's example is added to a copy of the project, as the guide says, and each step left out in its turn. Each program
 * runs on what it could find fault with: the gate runs all of them on everything else. So the compiler of `npm run types`
 * is one in this process, which reads each file once and checks those that see the operation; and of `npm run check`, the
 * last command of the guide, it leaves out
 * - `generate --check`: it would compare what `generate` has just written with the same,
 * - `check:breaking`: the copy has no releases, and that a new operation breaks nothing is shown in breaking.test.ts,
 * - the compiler for `src/client`, which has the same files without the types of Node, and for `src/onsite`, which imports
 *   nothing; of the dashboard it takes the module that knows all operations.
 */
describe('CONTRIBUTING.md', () => {
  const [contract, types, handler, tests] = [1, 2, 3, 4].map(readStep) as [Step, Step, Step, Step];
  const compiler = new Compiler();
  let copy: { path: string; remove(): Promise<void> };

  before(async () => {
    copy = await temporaryFolder();
    for (const name of COPIED) await cp(join(ROOT, name), join(copy.path, name), { recursive: true, filter: isOurs });
    await symlink(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
  });
  after(() => copy.remove());

  /** Packages of tests are many files, and nothing here needs them. */
  const isOurs = (path: string) => basename(path) !== 'node_modules';

  /** In the copy, with the Postgres and the Redis of this test run. */
  const run = (command: string): Promise<Ended> => {
    const { TEST_POSTGRES_URL, REDIS_URL } = process.env;
    return new Command('sh', ['-c', command], { TEST_POSTGRES_URL, REDIS_URL }, copy.path).ended;
  };

  async function edit(file: string, change: (text: string) => string): Promise<void> {
    const path = join(copy.path, file);
    const text = await readFile(path, 'utf8');
    const changed = change(text);
    expect(changed).not.to.equal(text);
    await writeFile(path, changed);
  }

  const write = (file: string, text: string | undefined) => writeFile(join(copy.path, file), text ?? '');

  async function passes(command: string): Promise<string> {
    const { code, stdout, stderr } = await run(command);
    expect(code, stdout + stderr).to.equal(0);
    return stdout;
  }

  async function fails(command: string, said: RegExp): Promise<void> {
    const { code, stdout, stderr } = await run(command);
    expect(code).not.to.equal(0);
    expect(stdout + stderr).to.match(said);
  }

  /** What the compiler says of a project in the copy, or of some of its files. */
  const compile = (project: string, ...files: string[]) =>
    compiler.problemsOf({
      config: join(copy.path, project, 'tsconfig.json'),
      ...(files.length > 0 && { files: files.map((file) => join(copy.path, file)) }),
    });

  /** The files that import what is generated, or name every operation of the client: the others see no new one. */
  async function whatKnowsAll(): Promise<string[]> {
    const found: string[] = [];
    for await (const name of glob('{src,scripts,test}/**/*.ts', { cwd: copy.path })) {
      if (/^(?:src\/(?:dashboard|onsite)|test\/client\/(?:programs|more-generators))\//.test(name)) continue;
      const text = await readFile(join(copy.path, name), 'utf8');
      if (/generated\/native\/|keyof Client\b/.test(text)) found.push(name);
    }
    expect(found).to.include('src/client/client.ts');
    return found;
  }

  it('says what is left out, step by step, and leads to an operation that passes', async function () {
    // Half a minute of work, on a machine of any speed.
    this.timeout(20 * 60_000);
    const [file, imported = '', entry = ''] = handler.code;
    const [index, own, test] = ['src/native/index.ts', 'src/native/get-scopes.ts', 'test/native/get-scopes.test.ts'];
    const bind = () => edit(index, (text) => imported + text.replace(/(Handlers<Operations> = \{\n)/, `$1${entry}`));
    await write(own, file);
    await bind();
    expect(compile('.', index)).to.match(contract.without);

    await edit('openapi/native.yaml', (text) => text.replace(/^components:$/m, `${contract.code[0]}components:`));
    expect(contract.commands).to.deep.equal(['npm run -s lint:spec']);
    await passes(`${contract.commands[0]} native`);
    await fails('npm run -s generate -- --check', types.without);

    expect(types.commands).to.deep.equal(['npm run -s generate']);
    await passes('npm run -s generate');
    await edit(index, (text) => text.replace(imported, '').replace(entry, ''));
    expect(compile('.', index)).to.match(handler.without);

    await bind();
    await passes(`node_modules/.bin/biome check --write ${index} ${own}`);
    await fails('npx mocha test/contract/tested.test.ts', tests.without);

    await write(test, tests.code[0]);
    const passed = await passes(`${tests.commands[0]} ${TESTS_OF_EACH}`);
    expect(passed).to.include('returns the scopes of the key').and.to.include('getScopes answers firstKey');
    expect(passed).to.include('on the native surface');

    expect(handler.commands).to.deep.equal(['npm run -s check']);
    await passes(`node_modules/.bin/biome ci --error-on-warnings ${index} ${own} ${test}`);
    await passes(`node_modules/.bin/depcruise --config .dependency-cruiser.mjs --output-type err ${own}`);
    expect(compile('.', index, own, test, ...(await whatKnowsAll()))).to.equal('');
    expect(compile('src/dashboard', 'src/dashboard/api/operations.ts')).to.equal('');
  });
});
