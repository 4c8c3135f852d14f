import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodOf, SURFACES } from '../support/samples.ts';
import { loadSpec, type SurfaceName } from '../support/spec.ts';

/** Where tests of a surface are; first where those of most operations are. */
const FOLDERS: Record<SurfaceName, string[]> = { native: ['native', 'automations'], compat: ['compat'] };

/** The words of each text in a file of tests: its titles are among them. */
function wordsOf(source: string): string[][] {
  return [...source.matchAll(/(['`])(.*?)\1/g)].map(([, , text = '']) => text.split(/[\s,:]+/));
}

describe('Every operation has tests of its own, under its method and path', () => {
  for (const surface of SURFACES) {
    it(`on the ${surface} surface`, async () => {
      const { operations } = await loadSpec(surface);
      const folders = FOLDERS[surface].map((name) => join(import.meta.dirname, '..', name));
      const files = folders.flatMap((folder) =>
        readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile()),
      );
      const texts = files.flatMap(({ parentPath, name }) => wordsOf(readFileSync(join(parentPath, name), 'utf8')));
      const untested = operations
        .map((operation) => `${methodOf(operation)} ${operation.path}`)
        .filter((title) => !texts.some((words) => title.split(' ').every((word) => words.includes(word))))
        .map((title) => `${title} has no tests in test/${surface}`);
      if (untested.length > 0) throw new Error(untested.join('\n'));
    });
  }
});
