import { expect } from 'chai';
import type { Page } from 'playwright-core';

const NARROW = { width: 375, height: 720 };

/** Fails where the page that is open scrolls sideways on a narrow screen, or leaves its content little of the width. */
export async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize(NARROW);
  const heading = page.getByRole('heading', { level: 1 }).first();
  await heading.waitFor();
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  expect(width, page.url()).to.equal(NARROW.width);
  expect((await heading.boundingBox())?.width, page.url()).to.be.above(NARROW.width / 2);
}
