/**
 * Compares both specs in the working directory with those of the last release. Fails on a change that breaks clients
 * unless CHANGELOG.md lists it, word for word, above that release.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { breakingChanges } from './breaking/documents.ts';
import { fileAt, lastRelease } from './breaking/release.ts';

const SPECS = ['openapi/native.yaml', 'openapi/compat.yaml'];

/** Returns the changelog since a release without line breaks, as an entry may be wrapped. */
function changelogSince(release: string): string {
  const [since = ''] = readFileSync('CHANGELOG.md', 'utf8').split(`## [${release.slice(1)}]`);
  return since.replaceAll(/\s+/g, ' ');
}

exitWithHelpIfAsked(`Fails if a spec would break clients of the last release and CHANGELOG.md does not say so.
Usage: npm run check:breaking`);

const tag = lastRelease();
if (tag === undefined) {
  console.log('There is no release yet, so there is no spec to compare with.');
} else {
  const listed = changelogSince(tag);
  const unlisted = SPECS.flatMap((path) => {
    const before = fileAt(tag, path);
    if (before === undefined) return [];
    return breakingChanges(parse(before), parse(readFileSync(path, 'utf8')));
  }).filter((change) => !listed.includes(change));
  if (unlisted.length > 0) {
    console.error(
      `These changes since ${tag} break clients. Revert them, or list them in CHANGELOG.md exactly as here:`,
    );
    for (const change of unlisted) console.error(`- **Breaking:** ${change}`);
    process.exitCode = 1;
  }
}
