import type { Context } from 'mocha';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core';
import { findChromium, launchChromium } from '../../scripts/chromium.ts';
import { until } from './process.ts';

/** A part of a test's time: what waits for a page gives up before the test does, and says what it waited for. */
const PATIENCE = 0.9;
/** What can be changed on a page that is open. */
const CHANGEABLE = new Set(['allow', 'origins', 'viewport', 'colorScheme']);
const VIEWPORT = { width: 1280, height: 720 };

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

/** The pages of the tests of a suite. Whatever moves by itself on them keeps still. */
export interface Pages {
  /** Opens an address in a context of its own: no cookie, storage or cache of another. It ends with the test. */
  open(url: string, options?: BrowserOptions): Promise<Page>;
  /**
   * A tab that an earlier test has left, where there is one, at an address of a service where nothing goes on: without the
   * cookies and storage of that test, but with what the browser has fetched and compiled, so that pages take much less CPU
   * than in a context of their own. Not for a test that listens on the page, or holds back what it asks for. Where options
   * can't be changed on an open page, it is another context all the same.
   */
  borrow(service: { url: string }, options?: BrowserOptions): Promise<Page>;
}

/** A page that tests have one after the other. */
interface Tab {
  context: BrowserContext;
  page: Page;
  /** Where its pages are from. */
  origin: string;
  options: BrowserOptions;
}

/**
 * Gives the tests of a suite a browser, and fails each whose pages complain: an error in the console or uncaught,
 * anything that the Content-Security-Policy refuses, a request to another origin. The suite is pending where the
 * machine has no Chromium. Call it in `describe`.
 */
export function useBrowser(): Pages {
  let own: BrowserContext[] = [];
  let taken: Tab[] = [];
  let free: Tab[] = [];
  let problems: string[] = [];
  let patienceMs = 0;

  before(async function () {
    const executable = findChromium();
    if (!executable) return this.skip();
    shared ??= launchChromium(executable);
    await shared;
  });
  beforeEach(function () {
    patienceMs = (this.currentTest?.timeout() ?? 0) * PATIENCE;
  });
  afterEach(async function () {
    const found = problems;
    problems = [];
    const left = taken;
    taken = [];
    const isSound = hasPassed(this) && found.length === 0;
    const kept = isSound ? left.filter(({ page }) => !page.isClosed()) : [];
    const ended = [...own, ...left.filter((tab) => !kept.includes(tab)).map(({ context }) => context)];
    own = [];
    await Promise.all([...ended.map((context) => context.close()), ...kept.map(leave)]);
    free = [...kept, ...free];
    // What comes when a page is left is no problem of the test.
    problems = [];
    if (found.length > 0) throw new Error(`The page had problems:\n${found.join('\n')}`);
  });
  after(async () => {
    await Promise.all(free.map(({ context }) => context.close()));
  });

  /** A page in a context of its own, which is watched. `options` are those that it has at the time. */
  async function newPage(options: () => BrowserOptions, origin: string): Promise<Page> {
    const { allow: _, origins: __, ...others } = options();
    const context = await ((await shared) as Browser).newContext({
      viewport: VIEWPORT,
      reducedMotion: 'reduce',
      // That of stores that have said none, so that no test depends on the machine's, and on the hour.
      timezoneId: 'UTC',
      ...others,
    });
    const complain = (problem: string) => {
      if (!options().allow?.some((pattern) => pattern.test(problem))) problems.push(problem);
    };
    watch(context, (asked) => asked === origin || Boolean(options().origins?.includes(asked)), complain);
    return context.newPage();
  }

  async function open(url: string, options: BrowserOptions = {}): Promise<Page> {
    const page = await newPage(() => options, new URL(url).origin);
    own.push(page.context());
    page.setDefaultTimeout(patienceMs);
    await page.goto(url);
    return page;
  }

  async function newTab(origin: string, options: BrowserOptions): Promise<Tab> {
    const tab = { origin, options };
    const page = await newPage(() => tab.options, origin);
    await page.goto(quietAddress(origin));
    return Object.assign(tab, { page, context: page.context() });
  }

  return {
    open,
    async borrow({ url }, options = {}) {
      const { origin } = new URL(url);
      if (!Object.keys(options).every((name) => CHANGEABLE.has(name))) return open(quietAddress(origin), options);
      const index = free.findIndex((tab) => tab.origin === origin);
      const [tab = await newTab(origin, options)] = index < 0 ? [] : free.splice(index, 1);
      taken.push(tab);
      tab.options = options;
      tab.page.setDefaultTimeout(patienceMs);
      await tab.page.setViewportSize(options.viewport ?? VIEWPORT);
      await tab.page.emulateMedia({ colorScheme: options.colorScheme ?? 'light' });
      return tab.page;
    },
  };
}

/** A small page without scripts. */
function quietAddress(origin: string): string {
  return `${origin}/health/live`;
}

function hasPassed({ currentTest }: Context): boolean {
  return currentTest?.state === 'passed';
}

/** Ends what goes on in a tab, and takes away what a test has left there. */
async function leave({ context, page, origin }: Tab): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(quietAddress(origin));
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
}

/** What pages are waiting for, but for streams, which do not end. */
const underWay = new WeakMap<BrowserContext, Set<Request>>();

function watch(
  context: BrowserContext,
  mayAsk: (origin: string) => boolean,
  complain: (problem: string) => void,
): void {
  const requests = new Set<Request>();
  underWay.set(context, requests);
  // What the Content-Security-Policy refuses is an error in the console too.
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().stack}`));
  context.on('request', (request) => {
    const { protocol, origin, pathname } = new URL(request.url());
    if (!pathname.endsWith('/stream')) requests.add(request);
    if (/^https?:$/.test(protocol) && !mayAsk(origin)) complain(`request to another origin: ${request.url()}`);
  });
  context.on('requestfinished', (request) => requests.delete(request));
  context.on('requestfailed', (request) => requests.delete(request));
}

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';
/** What moves, and comes to an end; `finished` fails for what is taken away before. */
const MOVED = `Promise.allSettled(document.getAnimations()
  .filter((animation) => Number.isFinite(animation.effect.getComputedTiming().endTime))
  .map((animation) => animation.finished))`;

/** Waits until a page has all that it asked for, and shows it. */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page.context()) as Set<Request>;
  await until(async () => {
    if (requests.size > 0) return false;
    // Answers lead to requests.
    await page.evaluate(TWO_FRAMES);
    await page.evaluate(MOVED);
    return requests.size === 0;
  }, 'the page has all that it asked for');
}
