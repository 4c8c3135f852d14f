import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus once a change is shown: to the first control within `list` that has one of the places in `data-place` and
 * can be used.
 */
export function useFocusAfter(): {
  list: RefObject<HTMLDivElement | null>;
  focusAfter: (...places: string[]) => void;
} {
  const list = useRef<HTMLDivElement>(null);
  const wanted = useRef<string[]>([]);
  useEffect(() => {
    const [found] = wanted.current.flatMap((place) => {
      const control = list.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]:not(:disabled)`);
      return control ?? [];
    });
    wanted.current = [];
    found?.focus();
  });
  return {
    list,
    focusAfter: (...places) => {
      wanted.current = places;
    },
  };
}
