import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** What somebody does who looks at something by themselves. */
const OWN_WAYS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
/** Milliseconds for which what is read meanwhile may move it away, at most. */
const LOADING_MS = 10_000;

/**
 * A part of a page that addresses with a hash lead to: whoever follows one finds it on the screen, with the focus, and finds it
 * there still once all that is above it has been read, unless they have gone elsewhere.
 */
export function useLedTo(hash: string): RefObject<HTMLDivElement | null> {
  const location = useLocation();
  const part = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever follows the same link again is led there again.
  useEffect(() => {
    const element = part.current;
    if (location.hash !== hash || !element) return;
    element.tabIndex = -1;
    // The header of the page covers what is scrolled to the top.
    element.style.scrollMarginTop = 'calc(var(--app-shell-header-offset, 0px) + var(--mantine-spacing-md))';
    element.focus({ preventScroll: true });
    const growth = new ResizeObserver(() => element.scrollIntoView());
    // It is told of the height that there is, too.
    growth.observe(document.body);
    const leave = new AbortController();
    const end = () => {
      growth.disconnect();
      clearTimeout(timer);
      leave.abort();
    };
    const timer = setTimeout(end, LOADING_MS);
    for (const way of OWN_WAYS) addEventListener(way, end, { signal: leave.signal, capture: true, passive: true });
    return end;
  }, [location.key, hash]);
  return part;
}
