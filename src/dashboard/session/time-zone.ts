import type { Store } from '../../client/index.ts';
import { useCaller } from './current-caller.tsx';

/** The time zone that the store reckons in; that of the viewer where the store has said none. */
export function useTimeZone(): string {
  return timeZoneOf(useCaller()?.store);
}

export function timeZoneOf(store: Pick<Store, 'time_zone'> | undefined): string {
  return store?.time_zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Names of IANA. */
export const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
