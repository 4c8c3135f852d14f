import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type ColorScheme, prefer, violations } from '../../support/axe.ts';
import { layoutFaults } from '../../support/layout.ts';

/** How a page is looked at. */
export interface Look {
  width: number;
  colorScheme: ColorScheme;
  /** Whether axe looks at colours alone, because all else is looked at in the other colours. */
  isOfColours?: true;
}

/** Fails where an open page cuts something or lets it run over, or where axe finds something wrong with it. */
export async function expectSound(page: Page, what: string, looks: readonly Look[]): Promise<void> {
  for (const { width, colorScheme, isOfColours } of looks) {
    const look = `${what}, ${width} pixels, ${colorScheme}`;
    await page.setViewportSize({ width, height: 900 });
    await prefer(page, colorScheme);
    expect(await violations(page, isOfColours), look).to.deep.equal([]);
    expect(await layoutFaults(page), look).to.deep.equal([]);
  }
}
