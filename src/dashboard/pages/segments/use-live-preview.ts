import { useEffect, useRef, useState } from 'react';
import { useOperation } from '../../api/operations.ts';
import type { Condition } from '../../definitions.ts';
import { isComplete } from './complete.ts';

/** Milliseconds after the last change, and between two previews: a store's may take 20 seconds in a minute. */
const PAUSE_MS = 800;
const BETWEEN_MS = 8_000;
const STALE_MS = 60_000;

/**
 * Previews what somebody edits once they pause, a few times in a minute. `isCurrent` says whether the answer is that of the
 * definition as it is now.
 */
export function useLivePreview(definition: Condition | undefined) {
  const text = definition && isComplete(definition) ? JSON.stringify(definition) : undefined;
  const [settled, setSettled] = useState(text);
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (text === undefined || text === settled) return;
    const wait = Math.max(PAUSE_MS, lastAt.current + BETWEEN_MS - performance.now());
    const timer = setTimeout(() => {
      lastAt.current = performance.now();
      setSettled(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, settled]);

  const tried: Condition = settled === undefined ? { all: [] } : JSON.parse(settled);
  const query = useOperation(
    'previewSegment',
    { definition: tried },
    { enabled: settled !== undefined, staleTime: STALE_MS },
  );
  return { query, isComplete: text !== undefined, isCurrent: text !== undefined && text === settled };
}
