import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Arguments, Event, EventPage } from '../../../client/index.ts';
import { pagesKey } from '../../api/operations.ts';
import { useReadiness } from '../../api/use-readiness.ts';
import { useStream } from '../../api/use-stream.ts';
import { fits } from './filters.ts';

type Pages = InfiniteData<EventPage, string | undefined>;

/** Milliseconds between two changes of the table: a flood is shown in gulps. */
const FLUSH_MS = 250;
/** Milliseconds between two looks whether the database is there. */
const LOOK_MS = 2_500;
/** Events that the first page grows to, before it is read again. */
const MAX_LIVE = 200;

/** Puts new events into the list that `listEvents` answered for these arguments, unless paused: then it collects them. */
export function useLiveEvents(args: Arguments<'listEvents'>) {
  const queryClient = useQueryClient();
  const [isPaused, setIsPaused] = useState(false);
  const [waiting, setWaiting] = useState(0);
  const arrived = useRef<Event[]>([]);
  const queryKey = pagesKey('listEvents', args);
  const readAgain = () => void queryClient.invalidateQueries({ queryKey: ['listEvents'] });

  const flush = useEffectEvent(() => {
    // Some may have come while another filter was chosen.
    const events = arrived.current.splice(0).filter((event) => fits(event, args));
    if (events.length === 0) return;
    const changed = queryClient.setQueryData<Pages>(queryKey, (before) => before && withNew(before, events));
    if (changed?.pages.some((page) => page.events.length > MAX_LIVE)) readAgain();
  });
  useEffect(() => {
    if (isPaused) return;
    const timer = setInterval(() => flush(), FLUSH_MS);
    return () => clearInterval(timer);
  }, [isPaused]);

  const stream = useStream({
    onOpen: () => {
      if (!isPaused) readAgain();
    },
    onMessage: ({ event, data }) => {
      if (event === 'reset' && !isPaused) readAgain();
      if (event !== 'event' || !fits(data, args)) return;
      arrived.current = [data, ...arrived.current].slice(0, MAX_LIVE);
      if (isPaused) setWaiting((count) => count + 1);
    },
  });

  // A stream stays open while the database is away, and nothing comes of it.
  const { data: readiness, isError } = useReadiness(LOOK_MS);
  const isAway = isError || readiness?.database === 'down';
  const state = stream === 'live' && isAway ? 'off' : stream;

  const pause = () => {
    setWaiting(0);
    setIsPaused(true);
  };
  const resume = () => {
    setIsPaused(false);
    arrived.current = [];
    readAgain();
  };
  return { state, isPaused, waiting, pause, resume };
}

/** The pages with new events in their places, by the time at which they happened. */
function withNew({ pages, pageParams }: Pages, events: Event[]): Pages {
  const [first, ...others] = pages as [EventPage, ...EventPage[]];
  const known = new Set(pages.flatMap((page) => page.events.map(({ id }) => id)));
  const last = others.length > 0 || first.next_cursor !== null ? first.events.at(-1) : undefined;
  const added = events.filter(({ id, occurred_at }) => !known.has(id) && (!last || occurred_at >= last.occurred_at));
  if (added.length === 0) return { pages, pageParams };
  const merged = [...added, ...first.events].sort((a, b) => b.occurred_at.localeCompare(a.occurred_at));
  return { pages: [{ ...first, events: merged }, ...others], pageParams };
}
