import { existsSync, readFileSync } from 'node:fs';
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
