import type { Page } from 'playwright-core';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { type BrowserOptions, type Pages, useBrowser } from './browser.ts';
import type { TestService } from './service.ts';

const TIMEOUT_MS = 60_000;

/** The dashboard as a person sees it. */
export interface Dashboard {
  /** Opens one of its pages (`/events`), signed in with the key. */
  open(service: TestService, key: string, path?: string, options?: BrowserOptions): Promise<Page>;
  /** Opens it as it is before somebody signs in. */
  openSignedOut: Pages['open'];
}

/** Makes sure that services of this test run have a dashboard to serve. Call it in `describe`, before they start. */
export function useBuiltDashboard(): void {
  before(async function () {
    this.timeout(120_000);
    await buildDashboard();
  });
}

/** Gives the tests of a suite the dashboard, in a browser. */
export function useDashboard(): Dashboard {
  const browser = useBrowser();
  useBuiltDashboard();
  // A browser on a machine that does much else takes its time.
  beforeEach(function () {
    this.currentTest?.timeout(TIMEOUT_MS);
  });
  return {
    openSignedOut: browser.open,
    async open({ url }, key, path = '/', options = {}) {
      const page = await browser.open(`${url}/dashboard${path}`, options);
      await signIn(page, key);
      return page;
    },
  };
}

/** Signs in on the page that asks for it, and waits for what comes then. */
export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('banner').waitFor();
}
