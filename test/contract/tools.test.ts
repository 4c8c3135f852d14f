import { join } from 'node:path';
import { expect } from 'chai';
import { Command, temporaryFolder } from '../support/process.ts';

const ROOT = join(import.meta.dirname, '../..');

/** An older Node runs no TypeScript. */
const OLDER = ['--no-strip-types'];

describe('Tools that integrators use on the specs, in a clone, under an older Node', () => {
  const run = (script: string, args: string[]) =>
    new Command(process.execPath, [...OLDER, join(ROOT, 'node_modules', script), ...args], {}, ROOT).ended;

  for (const surface of ['native', 'compat']) {
    it(`generate types of ${surface}.yaml`, async () => {
      const folder = await temporaryFolder();
      try {
        const target = join(folder.path, 'types.ts');
        const { code, stderr } = await run('openapi-typescript/bin/cli.js', [`openapi/${surface}.yaml`, '-o', target]);
        expect(code, stderr).to.equal(0);
      } finally {
        await folder.remove();
      }
    });
  }

  it('lint both by rules of their own', async () => {
    const specs = ['openapi/native.yaml', 'openapi/compat.yaml'];
    const { code, stderr } = await run('@redocly/cli/bin/cli.js', ['lint', ...specs]);
    expect(code, stderr).to.equal(0);
    for (const spec of specs) expect(stderr).to.include(`${spec}: validated`);
  });
});
