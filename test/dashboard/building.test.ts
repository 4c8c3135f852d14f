import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['src', 'generated', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const BUILDING = 'Building the dashboard…\n';

describe('npm run build:dashboard', function () {
  this.timeout(120_000);
  let copy: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    copy = await temporaryFolder();
    for (const name of COPIED) await cp(join(ROOT, name), join(copy.path, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy.path, 'node_modules'));
  });
  after(() => copy.remove());

  const build = (env: NodeJS.ProcessEnv = {}) =>
    new Command(process.execPath, ['scripts/build-dashboard.ts'], env, copy.path).ended;
  const built = (name: string) => readFile(join(copy.path, 'dist/dashboard', name), 'utf8');

  it('builds it once for commands that come together, and again only when its sources change', async () => {
    const together = await Promise.all([build(), build()]);
    expect(together.map(({ code }) => code)).to.deep.equal([0, 0]);
    expect(together.map(({ stdout, stderr }) => stdout + stderr)).to.have.members([BUILDING, '']);
    const page = await built('index.html');
    expect(await build()).to.include({ code: 0, stdout: '', stderr: '' });

    const source = join(copy.path, 'src/dashboard/pages/not-found.tsx');
    await writeFile(source, (await readFile(source, 'utf8')).replace('Page not found', 'Nowhere'));
    expect((await build()).stderr).to.equal(BUILDING);
    const changed = await built('index.html');
    expect(changed).not.to.equal(page);

    // It is the same page on a machine for development.
    await rm(join(copy.path, 'dist/dashboard'), { recursive: true });
    expect((await build({ NODE_ENV: 'development' })).stderr).to.equal(BUILDING);
    expect(await built('index.html')).to.equal(changed);
    expect(await readdir(join(copy.path, 'dist'))).to.have.members(['dashboard', 'dashboard.lock']);
  });

  it('leaves what was built where its sources are broken, and says why', async () => {
    const before = await built('index.html');
    await writeFile(join(copy.path, 'src/dashboard/main.tsx'), 'const');
    const { code, stderr } = await build();
    expect(code).to.equal(1);
    expect(stderr).to.contain('main.tsx');
    expect(await built('index.html')).to.equal(before);
  });
});
