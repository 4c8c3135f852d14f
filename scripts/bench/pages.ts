import type { Page } from 'playwright-core';
import { findChromium, launchChromium } from '../chromium.ts';

const ROUNDS = 7;

interface View {
  /** Below `/dashboard`. */
  path: string;
  /** Waits for the data. */
  ready(page: Page): Promise<void>;
}

const firstLinkOf = (role: 'table' | 'list', name: string) => (page: Page) =>
  page.getByRole(role, { name }).getByRole('link').first().waitFor();

const viewsOf = (profileId: string): Record<string, View> => ({
  Home: { path: '/', ready: firstLinkOf('table', 'Events by type') },
  Events: { path: '/events', ready: firstLinkOf('table', 'Events') },
  'Events of a type': { path: '/events?event_type=type_7', ready: firstLinkOf('table', 'Events') },
  Profiles: { path: '/profiles', ready: firstLinkOf('table', 'Profiles') },
  'Profiles that are searched': { path: '/profiles?email_prefix=ada', ready: firstLinkOf('table', 'Profiles') },
  'a profile': { path: `/profiles/${profileId}`, ready: firstLinkOf('list', 'Events') },
  Rejections: { path: '/rejections', ready: (page) => page.getByText('profile is required').first().waitFor() },
  'API keys': {
    path: '/settings/api-keys',
    ready: (page) => page.getByText('bench', { exact: true }).first().waitFor(),
  },
});

export interface PageResult {
  /** Median milliseconds until the data is visible: after a full load, and after navigating from another page. */
  loaded: number;
  reached: number;
}

/** Measures how long each dashboard page takes for a signed-in user; empty if there is no Chromium. */
export async function measurePages(url: string, key: string, profileId: string): Promise<Record<string, PageResult>> {
  const executable = findChromium();
  if (!executable) return {};
  const browser = await launchChromium(executable);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  try {
    await page.goto(`${url}/dashboard`);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const results: Record<string, PageResult> = {};
    for (const [name, view] of Object.entries(viewsOf(profileId))) {
      // The first load fills the browser's cache.
      await measureLoad(page, url, view);
      const [loaded, reached]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        loaded.push(await measureLoad(page, url, view));
        reached.push(await measureNavigation(page, url, view));
      }
      results[name] = { loaded: medianOf(loaded), reached: medianOf(reached) };
    }
    return results;
  } finally {
    await browser.close();
  }
}

async function measureLoad(page: Page, url: string, { path, ready }: View): Promise<number> {
  const start = performance.now();
  await page.goto(`${url}/dashboard${path}`, { waitUntil: 'commit' });
  await ready(page);
  return performance.now() - start;
}

/** Measures navigation from a page that shares no data with it. */
async function measureNavigation(page: Page, url: string, { path, ready }: View): Promise<number> {
  await page.goto(`${url}/dashboard/nowhere`);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  const start = performance.now();
  await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
  await ready(page);
  return performance.now() - start;
}

function medianOf(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}
