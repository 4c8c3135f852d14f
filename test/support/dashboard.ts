import type { Page } from 'playwright-core';
import { buildDashboard } from '../../scripts/build-dashboard.ts';
import { type BrowserOptions, type Pages, useBrowser } from './browser.ts';
import type { TestService } from './service.ts';

/** The dashboard as a person sees it. */
export interface Dashboard {
  /** Opens one of its pages (`/events`), signed in with the key as after a reload, in a tab that an earlier test has left. */
  open(service: TestService, key: string, path?: string, options?: BrowserOptions): Promise<Page>;
  /** Opens one of its pages in a context of its own, where somebody types the key. */
  openAlone: Dashboard['open'];
  /** Opens it, in a context of its own, as it is before somebody signs in. */
  openSignedOut: Pages['open'];
}

/** Makes sure that services of this test run have a dashboard to serve. Call it in `describe`, before they start. */
export function useBuiltDashboard(): void {
  before(() => buildDashboard());
}

/** Gives the tests of a suite the dashboard, in a browser. */
export function useDashboard(): Dashboard {
  const browser = useBrowser();
  useBuiltDashboard();
  return {
    openSignedOut: browser.open,
    async open(service, key, path = '/', options = {}) {
      const page = await browser.borrow(service, options);
      await resumeSession(page, key);
      await page.goto(`${service.url}/dashboard${path}`);
      await page.getByRole('banner').waitFor();
      return page;
    },
    async openAlone({ url }, key, path = '/', options = {}) {
      const page = await browser.open(`${url}/dashboard${path}`, options);
      await signIn(page, key);
      return page;
    },
  };
}

/** Has the page that asks for a person ask for a key. */
export async function askForKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key instead' }).click();
}

/** Signs in on the page that asks for it, and waits for what comes then. */
export async function signIn(page: Page, key: string): Promise<void> {
  await askForKey(page);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('banner').waitFor();
}

/** Leaves in the browser what signing in leaves there, from any page of the service. */
async function resumeSession(page: Page, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const { origin } = new URL(page.url());
  const response = await page.context().request.post(`${origin}/dashboard/session`, { headers, timeout: 0 });
  if (!response.ok()) throw new Error(`The key is not valid: ${response.status()}`);
  await page.evaluate(`localStorage.setItem('footfall.session', Date.now())`);
}
