import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../../scripts/chromium.ts';

let shared: Promise<Browser> | undefined;

/** Ends the browser of this process, where there is one; the next test that needs one starts another. */
export async function stopBrowser(): Promise<void> {
  const ended = shared;
  shared = undefined;
  await (await ended)?.close();
}

export interface BrowserOptions extends BrowserContextOptions {
  /** Problems that the test is about, and that do not fail it. */
  allow?: RegExp[];
  /** Origins beside its own that the page may ask. */
  origins?: readonly string[];
}

/** The pages of the tests of a suite. */
export interface Pages {
  /** Opens an address in a context of its own: no cookie, storage or cache of another. It ends with the test. */
  open(url: string, options?: BrowserOptions): Promise<Page>;
}

/**
 * Gives the tests of a suite a browser, and fails each whose pages complain: an error in the console or uncaught,
 * anything that the Content-Security-Policy refuses, a request to another origin. The suite is pending where the
 * machine has no Chromium. Call it in `describe`.
 */
export function useBrowser(): Pages {
  const contexts: BrowserContext[] = [];
  let problems: string[] = [];

  before(async function () {
    this.timeout(60_000);
    const executable = findChromium();
    if (!executable) return this.skip();
    shared ??= launchChromium(executable);
    await shared;
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    const found = problems;
    problems = [];
    if (found.length > 0) throw new Error(`The page had problems:\n${found.join('\n')}`);
  });

  return {
    async open(url, { allow = [], origins = [], ...options } = {}) {
      const context = await ((await shared) as Browser).newContext(options);
      contexts.push(context);
      const complain = (problem: string) => {
        if (!allow.some((pattern) => pattern.test(problem))) problems.push(problem);
      };
      watch(context, [new URL(url).origin, ...origins], complain);
      const page = await context.newPage();
      await page.goto(url);
      return page;
    },
  };
}

function watch(context: BrowserContext, origins: readonly string[], complain: (problem: string) => void): void {
  // What the Content-Security-Policy refuses is an error in the console too.
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().stack}`));
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !origins.includes(asked)) complain(`request to another origin: ${request.url()}`);
  });
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface AxeResult {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds wrong with a page as it is now: one line for each element, with the rule. Empty where nothing is. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated, because the page's policy refuses scripts that are added to it.
  await page.evaluate(await readFile(AXE, 'utf8'));
  const found = await page.evaluate<AxeResult[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary.replaceAll('\n', ' ')}`),
  );
}
