import { readFileSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
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

// The guide's example is added to a copy of the project, as the guide says, and each step left out in its turn.
describe('CONTRIBUTING.md', function () {
  this.timeout(300_000);
  const [contract, types, handler, tests] = [1, 2, 3, 4].map(readStep) as [Step, Step, Step, Step];
  let copy: { path: string; remove(): Promise<void> };

  before(async () => {
    copy = await temporaryFolder();
    for (const name of COPIED) await cp(join(ROOT, name), join(copy.path, name), { recursive: true, filter: isOurs });
    await symlink(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
    // The compiler runs three times on what is nearly the same.
    await edit('tsconfig.json', (text) => text.replace('"noEmit": true', '"noEmit": true, "incremental": true'));
  });
  after(() => copy.remove());

  const COPIED = [
    ...[
      'openapi',
      'generated',
      'src',
      'scripts',
      'test',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      '.dependency-cruiser.mjs',
      'biome.json',
    ],
    ...['.mocharc.js', '.gitignore', 'CHANGELOG.md'],
  ];

  /** Packages of tests are many files, and nothing here needs them. */
  const isOurs = (path: string) => basename(path) !== 'node_modules';

  const run = (command: string): Promise<Ended> => new Command('sh', ['-c', command], {}, copy.path).ended;

  async function edit(file: string, change: (text: string) => string): Promise<void> {
    const path = join(copy.path, file);
    const text = await readFile(path, 'utf8');
    const changed = change(text);
    expect(changed).not.to.equal(text);
    await writeFile(path, changed);
  }

  const write = (file: string, text: string | undefined) => writeFile(join(copy.path, file), text ?? '');

  async function passes(command: string | undefined): Promise<void> {
    const { code, stdout, stderr } = await run(command ?? 'false');
    expect(code, stdout + stderr).to.equal(0);
  }

  async function fails(command: string, said: RegExp): Promise<void> {
    const { code, stdout, stderr } = await run(command);
    expect(code).not.to.equal(0);
    expect(stdout + stderr).to.match(said);
  }

  it('says what is left out, step by step, and leads to an operation that passes', async () => {
    const [file, imported = '', entry = ''] = handler.code;
    await write('src/native/get-scopes.ts', file);
    await edit('src/native/index.ts', (text) => imported + text.replace(/(Handlers<Operations> = \{\n)/, `$1${entry}`));
    await fails('npm run -s types', contract.without);

    await edit('openapi/native.yaml', (text) => text.replace(/^components:$/m, `${contract.code[0]}components:`));
    await passes(contract.commands[0]);
    await fails('npm run -s generate -- --check', types.without);

    await passes(types.commands[0]);
    await edit('src/native/index.ts', (text) => text.replace(imported, '').replace(entry, ''));
    await fails('npm run -s types', handler.without);

    await edit('src/native/index.ts', (text) => imported + text.replace(/(Handlers<Operations> = \{\n)/, `$1${entry}`));
    await passes('npm run -s format');
    await passes(handler.commands[0]);
    await fails('npx mocha test/contract/tested.test.ts', tests.without);

    await write('test/native/get-scopes.test.ts', tests.code[0]);
    await passes(tests.commands[0]);
    await passes('npm run -s lint');
    await passes('npx mocha test/contract/examples.test.ts -g getScopes');
  });
});
