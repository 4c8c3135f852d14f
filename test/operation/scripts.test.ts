import { existsSync, readFileSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

describe('The scripts of package.json', () => {
  it('install their dependencies first, including the Node they run on', () => {
    expect(scripts).to.include.keys('start', 'test', 'build:client', 'check');
    // A shell in between would end by a signal, and what it has started would not.
    for (const [name, command] of Object.entries(scripts))
      expect(command).to.equal(`exec node scripts/run.mjs ${name}`);
  });

  it('print their purpose and usage with --help', async () => {
    const files = Object.keys(scripts).map((name) => `scripts/${name.replace(':', '-')}.ts`);
    for (const file of ['src/main.ts', 'src/worker.ts', ...files.filter((file) => existsSync(join(ROOT, file)))]) {
      const { code, stdout, stderr } = await new Command(process.execPath, [file, '--help']).ended;
      expect([code, stderr], file).to.deep.equal([0, '']);
      expect(stdout, file).to.match(/^[A-Z].*\..*\s+Usage:\s+npm (run|start)/s);
    }
  });

  it('tell what they install, how far they are, and how long it took', async () => {
    const folder = await temporaryFolder();
    for (const path of ['scripts/setup.mjs', 'scripts/installed.mjs', 'src/process/progress.mjs']) {
      await cp(join(ROOT, path), join(folder.path, path));
    }
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0' },
      'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['another'] },
    };
    await writeFile(join(folder.path, 'package.json'), JSON.stringify({ optionalDependencies: {} }));
    await writeFile(join(folder.path, 'package-lock.json'), JSON.stringify({ packages }));
    const npm = join(folder.path, 'npm.cjs');
    const setUp = () => new Command(process.execPath, ['scripts/setup.mjs'], { npm_execpath: npm }, folder.path).ended;
    await writeFile(npm, `console.error('no network'); process.exit(1)`);
    const failed = await setUp();
    expect(failed).to.include({ code: 1, stdout: '' });
    expect(failed.stderr).to.match(
      /^Installing dependencies…\n(?:.*\n)*no network\n(?:.*\n)*The dependencies could not be installed\.\n$/,
    );
    await writeFile(
      npm,
      `const { mkdirSync, writeFileSync } = require('node:fs');
      const { packages } = require('./package-lock.json');
      delete packages[''];
      delete packages['node_modules/elsewhere'];
      for (const [path, one] of Object.entries(packages)) {
        mkdirSync(path, { recursive: true });
        writeFileSync(path + '/package.json', JSON.stringify(one));
      }
      writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
      console.log('added 2 packages');`,
    );
    const done = await setUp();
    expect(done).to.include({ code: 0, stdout: '' });
    expect(done.stderr).to.match(
      /^Installing dependencies…\n(?:.*\n)*Installing dependencies: 2 of 2 packages, done in [\d.]+ s\n$/,
    );
    expect(await setUp()).to.include({ code: 0, stdout: '', stderr: '' });
    await folder.remove();
  });

  it('run on that Node, whichever the machine has', async () => {
    const folder = await temporaryFolder();
    const own = join(ROOT, 'node_modules/.bin');
    const PATH = process.env.PATH?.split(':').filter((entry) => entry !== own);
    const built = join(folder.path, 'client');
    const { code, stderr } = await new Command('npm', ['run', '-s', 'build:client', '--', built], {
      PATH: PATH?.join(':'),
    }).ended;
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(existsSync(join(built, 'src/client/index.js'))).to.equal(true);
    await folder.remove();
  });
});
