import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../support/programs.ts';

/** Each beside what it is about; the first is where a reader begins, and leads to the others. */
const READMES = ['README.md', 'src/domain/README.md', 'src/dashboard/README.md'];

/** What a line names is below the README's folder, below `src`, or beside or below what it has named before. */
function namedIn(line: string, folder: string): { name: string; paths: string[] }[] {
  const bases = new Set([folder, join(folder, 'pages'), 'src']);
  const names = [...line.matchAll(/`([\w.@/-]+(?:\/|\.(?:ts|tsx|mjs)))`/g)].map(([, name]) => name as string);
  return names.map((name) => {
    const paths = [...bases].map((base) => join(base, name)).filter((path) => existsSync(join(ROOT, path)));
    for (const path of paths) {
      for (let at = name.endsWith('/') ? path : dirname(path); at.startsWith('src/'); at = dirname(at)) bases.add(at);
    }
    return { name, paths };
  });
}

const NAMED = READMES.flatMap((file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const lines = text.slice(Math.max(0, text.indexOf('## Architecture'))).split('\n');
  return lines
    .filter((line) => /^(?:\||- )/.test(line))
    .flatMap((line) => namedIn(line, dirname(file)).map((named) => ({ ...named, line })));
});

describe('The map of the source in the READMEs', () => {
  it('names nothing that is not there', () => {
    expect(NAMED.filter(({ paths }) => paths.length === 0)).to.deep.equal([]);
  });

  it('names each folder, so that every file is found within two steps', () => {
    const folders = new Set(globSync('src/**/*.*', { cwd: ROOT }).map((file) => dirname(file)));
    const named = new Set(NAMED.flatMap(({ paths }) => paths.map((path) => path.replace(/\/$/, ''))));
    for (const path of named) if (!statSync(join(ROOT, path)).isDirectory()) named.add(dirname(path));
    expect([...folders].filter((folder) => folder !== 'src' && !named.has(folder))).to.deep.equal([]);
    for (const readme of READMES.slice(1)) expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).to.contain(readme);
  });

  it('has an answer to what somebody asks first who has not seen it', () => {
    const asked = {
      'an event is written': 'insert.ts',
      'a run takes its step': 'take-step.ts',
      'a segment decides': 'evaluate.ts',
      'it is retried': 'schedule.ts',
      'old rows are deleted': 'periodic-tasks.ts',
      'a new background work has to implement': 'engine.ts',
    };
    for (const [question, file] of Object.entries(asked)) {
      const line = NAMED.find((one) => one.line.includes(question))?.line;
      expect(line, question).to.contain(file);
    }
  });
});
