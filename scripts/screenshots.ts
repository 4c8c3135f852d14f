/**
 * Takes the screenshots of the README, of a service with the data of `npm run demo`. Needs Chromium on the `PATH`:
 *
 *   npm run -s screenshots [-- <folder>]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import { SCOPES } from '../src/domain/caller.ts';
import { ensureStore } from '../src/domain/stores.ts';
import { createLog } from '../src/process/log.ts';
import { startService } from '../src/service.ts';
import { DEFAULT_STORE } from '../src/storage.ts';
import { buildDashboard } from './build-dashboard.ts';
import { findChromium, launchChromium } from './chromium.ts';
import { fill } from './demo/fill.ts';
import { Filling } from './demo/filling.ts';

const FOLDER = join(import.meta.dirname, '../.github/screenshots');
const SIZE = { width: 1440, height: 900 };
const QUALITY = 70;

interface Picture {
  name: string;
  /** Below `/dashboard`. */
  path: string;
  colorScheme?: 'light' | 'dark';
  /** Waits for the data, and brings into view what is to be seen. */
  ready(page: Page): Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'home',
    path: '/?range=30_days&compare=previous_period',
    ready: (page) => page.getByRole('figure', { name: /^Net revenue/ }).waitFor(),
  },
  {
    name: 'events',
    path: '/events?event_type=placed_order',
    colorScheme: 'dark',
    ready: async (page) => {
      await page.getByRole('table', { name: 'Events' }).getByRole('link').first().click();
      await page.getByRole('region', { name: 'curl command' }).waitFor();
    },
  },
  {
    name: 'profile',
    path: '/profiles?email_prefix=a',
    ready: async (page) => {
      await page.getByRole('table', { name: 'Profiles' }).getByRole('link').nth(2).click();
      await page.getByRole('list', { name: 'Events' }).getByRole('link').first().waitFor();
    },
  },
  {
    name: 'automation',
    path: '/automations',
    ready: async (page) => {
      await page.getByRole('link', { name: 'Abandoned cart' }).click();
      await page.getByText('here now').first().waitFor();
    },
  },
  {
    name: 'webhook',
    path: '/webhooks',
    ready: async (page) => {
      await page.getByRole('table', { name: 'Endpoints' }).getByRole('link', { name: 'Mailer' }).click();
      await page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'expired' }).click();
      await page.getByRole('list', { name: 'Attempts' }).waitFor();
    },
  },
  {
    name: 'rejections',
    path: '/rejections',
    ready: (page) => page.getByRole('button', { name: '14 requests' }).click(),
  },
  {
    name: 'api-keys',
    path: '/settings/api-keys',
    colorScheme: 'dark',
    ready: (page) => page.getByText('Warehouse').waitFor(),
  },
];

/** Starts a service with an empty store; its key has every scope. */
async function startEmpty(dataDir: string) {
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' });
  const service = await startService(config, createLog(config.logLevel));
  const storeId = await ensureStore(service.database, DEFAULT_STORE);
  const { key, record } = await service.keys.create({ storeId, name: 'Ada', scopes: SCOPES, tier: 'standard' });
  return { service, key, filling: new Filling(record) };
}

async function main(folder = FOLDER): Promise<void> {
  const chromium = findChromium();
  if (!chromium) throw new Error('There is no Chromium on the PATH');
  await buildDashboard();
  const dataDir = await mkdtemp(join(tmpdir(), 'footfall-screenshots-'));
  const { service, key, filling } = await startEmpty(dataDir);
  const browser = await launchChromium(chromium);
  try {
    await fill(service, key, filling);
    await mkdir(folder, { recursive: true });
    for (const { name, path, colorScheme = 'light', ready } of PICTURES) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme, locale: 'en-GB', reducedMotion: 'reduce' });
      await page.goto(`${service.url}/dashboard${path}`);
      await page.getByRole('button', { name: 'Use an API key instead' }).click();
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await ready(page);
      await page.mouse.move(0, 0);
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => {});
      await writeFile(join(folder, `${name}.webp`), await pictureOf(page));
      await page.close();
    }
  } finally {
    await browser.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** As WebP, a third of the size of a PNG. */
async function pictureOf(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  return Buffer.from(data, 'base64');
}

exitWithHelpIfAsked(`Takes the screenshots for the README, with the data of \`npm run demo\`.
Usage: npm run -s screenshots [-- <folder>]
It needs a Chromium on the PATH.`);
await main(process.argv[2]);
