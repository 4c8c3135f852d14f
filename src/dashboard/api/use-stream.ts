import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { FootfallError, type StreamMessage } from '../../client/index.ts';
import { expireSession } from '../session/session.ts';
import { sessionClient, sessionFetch } from './client.tsx';

export type StreamState = 'connecting' | 'live' | 'off';

/** Milliseconds until a stream that failed for good is tried again. */
const RETRY_MS = 5_000;

/**
 * Follows what happens in the store, for as long as the component is there and can be seen: a browser has but a few
 * connections to a service for all of its tabs. `onOpen` is called whenever a connection is made: from then on nothing is
 * missed, so that what was read before may be read again.
 */
export function useStream({
  onMessage,
  onOpen,
}: {
  onMessage: (message: StreamMessage) => void;
  onOpen?: () => void;
}): StreamState {
  const isSeen = useDocumentVisibility() === 'visible';
  const [state, setState] = useState<StreamState>('connecting');
  const receive = useEffectEvent(onMessage);
  const opened = useEffectEvent(() => {
    setState('live');
    onOpen?.();
  });

  useEffect(() => {
    if (!isSeen) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observed: typeof fetch = async (input, init) => {
      const response = await sessionFetch(input, init);
      if (response.ok) opened();
      return response;
    };
    const follow = async () => {
      try {
        setState('connecting');
        const { signal } = leaving;
        for await (const message of sessionClient({ fetch: observed }).streamEvents({}, { signal })) {
          receive(message);
        }
      } catch (error) {
        if (leaving.signal.aborted) return;
        if (error instanceof FootfallError && error.code === 'unauthorized') return expireSession();
        setState('off');
        if (!(error instanceof FootfallError && error.code === 'forbidden')) timer = setTimeout(follow, RETRY_MS);
      }
    };
    void follow();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [isSeen]);
  return state;
}
