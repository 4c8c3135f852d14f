import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useStream } from './use-stream.ts';

/** Milliseconds between two readings while events arrive. */
const REFRESH_MS = 2_000;

/** Operations whose answers are other ones once an event was recorded, or a request refused. */
interface Changed {
  byEvents?: readonly string[];
  byRejections?: readonly string[];
}

/** Has what was read by operations read again when something happens in the store, now and then. */
export function useRefresh({ byEvents = [], byRejections = [] }: Changed): void {
  const queryClient = useQueryClient();
  const due = useRef(new Set<string>());
  const add = (ids: readonly string[]) => {
    for (const id of ids) due.current.add(id);
  };
  useStream({
    onOpen: () => add([...byEvents, ...byRejections]),
    onMessage: ({ event }) => {
      if (event !== 'rejection') add(byEvents);
      if (event !== 'event') add(byRejections);
    },
  });
  const refresh = useEffectEvent(() => {
    for (const id of due.current) void queryClient.invalidateQueries({ queryKey: [id] });
    due.current.clear();
  });
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
}
