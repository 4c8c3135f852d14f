import { readFileSync } from 'node:fs';
import type { Definition } from '../../../src/domain/automations/core/definition/definition.ts';

const GUIDE = readFileSync(new URL('../../../src/docs/guides/automations.md', import.meta.url), 'utf8');

/** Returns the definition below a heading of the guide, with ids of the store in place of those that are written there. */
export function wholeAutomation(heading: string, ids: Readonly<Record<string, string>>): Definition {
  const [, below = ''] = GUIDE.split(`### ${heading}\n`);
  const [, text = ''] = /```js\n(.*?)```/s.exec(below) ?? [];
  const named = Object.entries(ids).reduce((whole, [written, own]) => whole.replaceAll(written, own), text);
  return JSON.parse(named) as Definition;
}
