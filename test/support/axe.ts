import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { until } from './process.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** All that depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface AxeResult {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

export type ColorScheme = 'light' | 'dark';

/**
 * What axe finds wrong with a page as it is now: one line for each element, with the rule. Empty where nothing is. Only by
 * the rules that depend on colours, if that is said: the others find the same in light and in dark.
 */
export async function violations(page: Page, isOfColours = false): Promise<string[]> {
  // Evaluated, because the page's policy refuses scripts that are added to it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  await page.evaluate(AT_REST);
  const options = { resultTypes: ['violations'], selectors: false, ...(isOfColours && { runOnly: COLOUR_RULES }) };
  const found = await page.evaluate<AxeResult[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

/** As `violations`, of a page that is shown in light colours, and in the dark ones that it has where the system is dark. */
export async function violationsInBothSchemes(page: Page): Promise<string[]> {
  const light = await violations(page);
  await prefer(page, 'dark');
  const dark = await violations(page, true);
  await prefer(page, 'light');
  return [...light, ...dark.map((one) => `dark: ${one}`)];
}

/** Changes what the system prefers, and waits until the page shows it: the dashboard says in an attribute what it shows. */
export async function prefer(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const shows = `[undefined, '${colorScheme}'].includes(document.documentElement.dataset.mantineColorScheme)`;
  // Evaluated again and again: the page's policy refuses what would wait in the page.
  await until(
    () => page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: ${colorScheme})').matches && ${shows}`),
    `the page is ${colorScheme}`,
  );
}

/** What moves or changes its colour comes to its end; what spins without one is as good at any time. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  .map(({ finished }) => finished)).then(() => undefined)`;
