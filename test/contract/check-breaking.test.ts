import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';
import { partOfSpec } from '../support/spec-documents.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of each spec, enough to break: `breaking.test.ts` compares a whole one, and so does this script in each `npm run check`. */
const SPECS = {
  'openapi/native.yaml': partOfSpec('native', ['/v1/events']),
  'openapi/compat.yaml': partOfSpec('compat', ['/compat/v1/events']),
};

describe('npm run check:breaking', () => {
  let folder: { path: string; remove(): Promise<void> };
  let project: string;

  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: project, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  };
  const check = (cwd = project) =>
    new Command(process.execPath, [join(ROOT, 'scripts/check-breaking.ts')], {}, cwd).ended;
  const write = (name: string, text: string) => writeFile(join(project, name), text);
  const LINE = '- **Breaking:** POST /v1/events: response 201: received_at is gone\n';

  beforeEach(async () => {
    folder = await temporaryFolder();
    project = join(folder.path, 'project');
    await mkdir(join(project, 'openapi'), { recursive: true });
    git('init', '--quiet');
    for (const [name, spec] of Object.entries(SPECS)) await write(name, JSON.stringify(spec));
    await write('CHANGELOG.md', readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
    git('add', '.');
    git('commit', '--quiet', '--message', 'One');
  });
  afterEach(() => folder.remove());

  /** Releases what is there, as `v0.10.0`. */
  const release = () => {
    for (const tag of ['v0.9.0', 'v0.10.0', 'v0.11.0-rc.1', 'venerable']) git('tag', tag);
  };
  const breakIt = async () => {
    const document = partOfSpec('native', ['/v1/events']);
    delete document.components.schemas.Event.properties.received_at;
    await write('openapi/native.yaml', JSON.stringify(document));
  };

  it('compares nothing before the first release, and says so', async () => {
    await breakIt();
    const { code, stdout } = await check();
    expect([code, stdout]).to.deep.equal([0, 'There is no release yet, so there is no spec to compare with.\n']);
  });

  it('passes where nothing is broken since the last release', async () => {
    release();
    expect(await check()).to.include({ code: 0, stderr: '' });
  });

  it('fails on a change that breaks clients, until the changelog lists it', async () => {
    release();
    await breakIt();
    const { code, stderr } = await check();
    expect(code).to.equal(1);
    expect(stderr).to.include('since v0.10.0').and.to.include(LINE);
    await write('CHANGELOG.md', `## [Unreleased]\n\n${stderr}`);
    expect((await check()).code).to.equal(0);
    await write('CHANGELOG.md', `## [Unreleased]\n\n## [0.10.0]\n\n${stderr}`);
    expect((await check()).code).to.equal(1);
  });

  it('finds the release from a shallow clone too', async () => {
    release();
    await breakIt();
    git('commit', '--quiet', '--all', '--message', 'Two');
    const clone = join(folder.path, 'clone');
    git('clone', '--quiet', '--depth=1', '--no-tags', `file://${project}`, clone);
    const { code, stderr } = await check(clone);
    expect(code).to.equal(1);
    expect(stderr).to.include(LINE);
  });
});
