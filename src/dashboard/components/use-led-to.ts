import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** A part of a page that addresses with a hash lead to: whoever follows one finds it on the screen, with the focus. */
export function useLedTo(hash: string): RefObject<HTMLDivElement | null> {
  const location = useLocation();
  const part = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever follows the same link again is led there again.
  useEffect(() => {
    if (location.hash !== hash || !part.current) return;
    part.current.tabIndex = -1;
    part.current.focus({ preventScroll: true });
    part.current.scrollIntoView();
  }, [location.key, hash]);
  return part;
}
