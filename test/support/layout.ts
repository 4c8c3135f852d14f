import type { Page } from 'playwright-core';

/** What of the texts and controls of a page is cut, lies beside the window, or runs out of its card. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${findFaults})()`);
}

// Of the page, where it runs.
declare const document: any;
declare const window: any;
declare const getComputedStyle: (element: any) => any;

function findFaults(): string[] {
  const found: string[] = [];
  const all = [document.documentElement, ...document.querySelectorAll('body *')];
  const isSeen = (element: any) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !element.closest('svg, [aria-hidden=true]') &&
    element.getBoundingClientRect().width > 1;
  const isHidden = (element: any): boolean =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isHidden(element.parentElement));
  const nameOf = (element: any) => `${element.tagName} "${element.textContent?.trim().slice(0, 40)}"`;
  if (document.documentElement.scrollWidth > window.innerWidth) found.push('The page scrolls sideways');
  for (const element of all) {
    const hasText = [...element.childNodes].some((node: any) => node.nodeType === 3 && node.textContent?.trim());
    const isControl = element.matches('a, button, input, select');
    if ((!hasText && !isControl) || !isSeen(element) || isHidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = (hasText ? range : element).getBoundingClientRect();
    const card = element.closest('.mantine-Paper-root')?.getBoundingClientRect();
    const style = getComputedStyle(element);
    const isShortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    const right = Math.min(window.innerWidth, card?.right ?? window.innerWidth);
    if (!isShortened && (box.right > right + 1 || box.left < -1)) found.push(`${nameOf(element)} runs over`);
    for (let around: any = element; around; around = around.parentElement) {
      const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(around);
      if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') break;
      const isCut = overflowX !== 'visible' && box.right > around.getBoundingClientRect().right + 1;
      if (isCut) found.push(`${nameOf(element)} is cut by ${around.tagName}.${around.className}`);
    }
  }
  return [...new Set(found)];
}
