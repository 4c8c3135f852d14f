import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../src/config.ts');

/** The names of all settings, as the configuration reads them from the environment. */
export function settingNames(): string[] {
  const reads = readFileSync(SOURCE, 'utf8').matchAll(
    /(?:text|integer|seconds|url|choice|tiers|schemes|hosts|networks|token|keys|publicUrl|smtpUrl)\('([A-Z_]+)'/g,
  );
  return [...new Set(Array.from(reads, ([, name]) => name as string))];
}
