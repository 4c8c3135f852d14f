import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FoundEvent, FoundMetric, FoundProfile } from '../../generated/compat/types.gen.ts';
import type { Sql } from '../db/orm.ts';
import { bytesOf, checkParsable } from '../db/raw-json.ts';
import type { Caller } from '../domain/caller.ts';
import { eventBytes, type RecordedEvent } from '../domain/event.ts';
import type { Profile } from '../domain/profile.ts';
import { readProfiles } from '../domain/reading/profiles.ts';
import { requireScope } from '../http/bind-contract.ts';
import { toEventResource, toMetricResource } from './document/event-resource.ts';
import { type ProfileView, toProfileResources } from './profile-resources.ts';
import { pickAttributes } from './query/sparse.ts';

/** The parameters that say how events are shown. */
export interface EventView extends ProfileView {
  include?: readonly string[];
  'fields[event]'?: readonly string[];
  'fields[metric]'?: readonly string[];
}

export interface ShownEvents {
  data: FoundEvent[];
  /** What belongs to them; absent if nothing was asked for. */
  included?: (FoundMetric | FoundProfile)[];
}

/** Throws `forbidden` if profiles are to be included and the key may not read any. */
export function checkIncludes(caller: Caller, { include = [] }: EventView): void {
  if (include.includes('profile')) requireScope(caller, 'profiles:read');
}

/**
 * Returns events with what is to be included. Fewer of them than given, but never none, if their profiles have too many
 * bytes for one response.
 */
export async function showEvents(
  sql: Sql,
  caller: Caller,
  events: readonly RecordedEvent[],
  view: EventView,
  base: string,
  maxBytes: number,
): Promise<ShownEvents> {
  const { include } = view;
  const wantsProfiles = include?.includes('profile') ?? false;
  const { found, isRead } = await readIncluded(sql, caller, wantsProfiles ? events : [], maxBytes);
  const end = wantsProfiles ? events.findIndex(({ profileId }) => !isRead(profileId)) : -1;
  const shown = end < 0 ? events : events.slice(0, end);
  const data = await toEventResources(shown, view, base);
  if (!include) return { data };
  const metrics = include.includes('metric') ? toMetrics(shown, view, base) : [];
  const used = new Set(shown.map(({ profileId }) => profileId));
  const profiles = [...found.values()].filter(({ id }) => used.has(id));
  return { data, included: [...metrics, ...(await toProfileResources(sql, caller, profiles, view, base))] };
}

/** Bytes of properties after which other requests have their turn: 4 MB at once would delay them by 40 ms. */
const BYTES_PER_TURN = 256 * 1024;

async function toEventResources(events: readonly RecordedEvent[], view: EventView, base: string) {
  const data: FoundEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    data.push(pickAttributes(toEventResource(event, base), view['fields[event]']));
    bytes += eventBytes(event);
    if (bytes < BYTES_PER_TURN) continue;
    await nextTurn();
    bytes = 0;
  }
  return data;
}

/** One for each metric, as its first event has it. */
function toMetrics(events: readonly RecordedEvent[], view: EventView, base: string): FoundMetric[] {
  const first = new Map<string, RecordedEvent>();
  for (const event of events) if (!first.has(event.eventType)) first.set(event.eventType, event);
  return [...first.values()].map((event) => pickAttributes(toMetricResource(event, base), view['fields[metric]']));
}

/** Profiles that one query reads, after the first. */
const BATCH = 100;

interface ReadProfiles {
  found: ReadonlyMap<string, Profile>;
  /** Whether a profile was looked for: the others were left off. */
  isRead(id: string): boolean;
}

/**
 * Reads the profiles of events, from the first event on until they have too many bytes. Throws `Oversized` as soon as
 * another thread has to do that.
 */
async function readIncluded(
  sql: Sql,
  caller: Caller,
  events: readonly RecordedEvent[],
  maxBytes: number,
): Promise<ReadProfiles> {
  const [first, ...others] = new Set(events.map(({ profileId }) => profileId));
  const batches = first === undefined ? [] : [[first]];
  for (let n = 0; n < others.length; n += BATCH) batches.push(others.slice(n, n + BATCH));
  const found = new Map<string, Profile>();
  const done = new Set<string>();
  let bytes = 0;
  for (const ids of batches) {
    for (let cursor: string | undefined; bytes < maxBytes; ) {
      const { items, next } = await readProfiles(sql, caller, { limit: ids.length, cursor }, ids);
      for (const profile of items) {
        found.set(profile.id, profile);
        bytes += bytesOf(profile.attributes);
      }
      if (next === null) {
        for (const id of ids) done.add(id);
        break;
      }
      cursor = next;
    }
    checkParsable([...found.values()].map(({ attributes }) => attributes));
  }
  return { found, isRead: (id) => found.has(id) || done.has(id) };
}
