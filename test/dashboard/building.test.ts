import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['src', 'generated', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];
/** In place of the whole dashboard, which takes many times as long; it is built, too, for the tests that look at it. */
const SMALL_APP = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import text from './text.ts';

createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode>{text}</StrictMode>);
`;
/** With a line now and then, where it takes long. */
const BUILDING =
  /^Building the dashboard…\n(?:Building the dashboard: [\d.]+ s\n)*Building the dashboard: done in [\d.]+ s\n$/;

describe('npm run build:dashboard', () => {
  let copy: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    copy = await temporaryFolder();
    for (const name of COPIED) await cp(join(ROOT, name), join(copy.path, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
    await write('main.tsx', SMALL_APP);
    await write('text.ts', "export default 'A page';");
  });
  after(() => copy.remove());

  const write = (name: string, text: string) => writeFile(join(copy.path, 'src/dashboard', name), text);
  const build = (env: NodeJS.ProcessEnv = {}) =>
    new Command(process.execPath, ['scripts/build-dashboard.ts'], env, copy.path).ended;
  const built = (name: string) => readFile(join(copy.path, 'dist/dashboard', name), 'utf8');

  it('builds it once for commands that come together, and again only when its sources change', async () => {
    const together = await Promise.all([build(), build()]);
    expect(together.map(({ code }) => code)).to.deep.equal([0, 0]);
    const [quiet, telling] = together.map(({ stdout, stderr }) => stdout + stderr).sort();
    expect(quiet).to.equal('');
    expect(telling).to.match(BUILDING);
    const page = await built('index.html');
    expect(await build()).to.include({ code: 0, stdout: '', stderr: '' });

    await write('text.ts', "export default 'Another page';");
    expect((await build()).stderr).to.match(BUILDING);
    const changed = await built('index.html');
    expect(changed).not.to.equal(page);

    // It is the same page on a machine for development.
    await rm(join(copy.path, 'dist/dashboard'), { recursive: true });
    expect((await build({ NODE_ENV: 'development' })).stderr).to.match(BUILDING);
    expect(await built('index.html')).to.equal(changed);
    expect(await readdir(join(copy.path, 'dist'))).to.have.members(['dashboard', 'dashboard.lock']);
  });

  it('leaves what was built where its sources are broken, and says why', async () => {
    const before = await built('index.html');
    await write('main.tsx', 'const');
    const { code, stderr } = await build();
    expect(code).to.equal(1);
    expect(stderr).to.contain('main.tsx');
    expect(await built('index.html')).to.equal(before);
  });
});
