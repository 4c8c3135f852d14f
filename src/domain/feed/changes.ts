import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { rowsById, rowsTogether } from '../../db/rows.ts';
import {
  EVENT_COLUMNS,
  type EventRow,
  eventBytes,
  eventFromRow,
  MAX_EVENT_BYTES,
  type RecordedEvent,
} from '../event.ts';
import { readAliases } from '../profile-aliases.ts';
import { type Candidate, candidates } from '../reading/cursor.ts';
import { REJECTION_COLUMNS, type RejectionRow, rejectionFromRow } from '../reading/rejections.ts';
import type { Rejection } from '../rejections.ts';
import { type ChangeKind, type EntryItem, type FeedRange, itemsOf, type Led, readEntries } from './entries.ts';
import type { FeedPosition } from './positions.ts';

/** A committed change. A profile was created or changed: what it is now can be read under its id. */
export type Change =
  | { kind: 'event'; event: RecordedEvent }
  | { kind: 'rejection'; rejection: Rejection }
  | { kind: 'profile'; profileId: string }
  /** The id of the row of that table. */
  | { kind: 'profile_change'; id: string }
  | { kind: 'automation_status'; id: string }
  | { kind: 'segment_change'; id: string }
  | { kind: 'catalog_change'; id: string }
  /** A profile has joined or left a list, or chosen anew. */
  | ListChange
  | ConsentTurn;

/** A change of which the feed says all that is known. */
interface Told extends Led {
  profileId: string;
  /** Whether it became known as history, or as two customers turned out to be one. */
  isHistorical: boolean;
}

export interface ListChange extends Told {
  kind: 'list_change';
  listId: string;
  hasJoined: boolean;
}

/** A profile has opted in to a channel, or out of it, and had not before. */
export interface ConsentTurn extends Told {
  kind: 'consent_change';
  channel: NonNullable<EntryItem['channel']>;
  isGiven: boolean;
  fromClient: boolean;
}

/** A change, the position of a reader who has read it, and when its transaction began in milliseconds of Unix time. */
export type PositionedChange<Kind extends ChangeKind = ChangeKind> = Extract<Change, { kind: Kind }> & {
  position: FeedPosition;
  addedAt: number;
};

export interface ReadLimits {
  items: number;
  /** Of free-form data; the first item is read whatever its size. */
  bytes: number;
  /** Items that are looked at, where not all are wanted. */
  scanned?: number;
}

/** Returns the first changes of a part of the feed, in its order, and the position after them. */
export async function readChanges<Kind extends ChangeKind>(
  db: Sql,
  storeId: string,
  range: FeedRange<Kind>,
  limits: ReadLimits,
): Promise<{ changes: PositionedChange<Kind>[]; reached: FeedPosition }> {
  const { entries, end } = await readEntries(db, storeId, range, limits);
  const items = itemsOf(entries);
  const events = await readEvents(db, storeId, idsOf(items, 'event'));
  const aliases = await aliasesIn(db, storeId, items, events.found);
  const rejections = await readRejections(db, storeId, idsOf(items, 'rejection'));
  const changes: PositionedChange<Kind>[] = [];
  let reached = range.from;
  let bytes = 0;
  for (const item of items) {
    if (bytes >= limits.bytes || events.unread.has(item.id)) return { changes, reached };
    reached = item.position;
    const change = toChange(item, events.found, aliases, rejections);
    if (!change) continue;
    changes.push(change as PositionedChange<Kind>);
    if (change.kind === 'event') bytes += eventBytes(change.event);
  }
  return { changes, reached: end };
}

function idsOf(items: readonly EntryItem[], kind: ChangeKind): string[] {
  return items.flatMap((item) => (item.kind === kind ? [item.id] : []));
}

/** Kinds whose items are profiles. */
const OF_PROFILES: ReadonlySet<ChangeKind> = new Set<ChangeKind>(['profile', 'list_change', 'consent_change']);

/** Returns into whom the customers were merged whom changes name: what was written of them before is told of these. */
async function aliasesIn(
  db: Sql,
  storeId: string,
  items: readonly EntryItem[],
  events: ReadonlyMap<string, RecordedEvent>,
): Promise<ReadonlyMap<string, string>> {
  const named = items.flatMap(({ kind, id }) => (OF_PROFILES.has(kind) ? [id] : []));
  return await readAliases(db, storeId, [...named, ...[...events.values()].map(({ profileId }) => profileId)]);
}

/** Returns undefined for what was not found: it was deleted meanwhile, or nobody wants it. */
function toChange(
  { kind, id, position, addedAt, ...item }: EntryItem,
  events: ReadonlyMap<string, RecordedEvent>,
  aliases: ReadonlyMap<string, string>,
  rejections?: ReadonlyMap<string, Rejection>,
): PositionedChange | undefined {
  const at = { position, addedAt };
  switch (kind) {
    case 'event': {
      const event = events.get(id);
      const owner = event && aliases.get(event.profileId);
      return event && { kind, event: owner ? { ...event, profileId: owner } : event, ...at };
    }
    case 'rejection': {
      const rejection = rejections?.get(id);
      return rejection && { kind, rejection, ...at };
    }
    case 'profile':
      return { kind, profileId: aliases.get(id) ?? id, ...at };
    case 'list_change':
      return {
        kind,
        ...toldOf(aliases.get(id) ?? id, item),
        listId: item.listId as string,
        hasJoined: item.hasJoined as boolean,
        ...at,
      };
    case 'consent_change': {
      const [channel, fromClient] = [item.channel ?? 'email', item.fromClient === true];
      return {
        kind,
        ...toldOf(aliases.get(id) ?? id, item),
        channel,
        isGiven: item.hasJoined === true,
        fromClient,
        ...at,
      };
    }
    default:
      return { kind, id, ...at };
  }
}

function toldOf(profileId: string, { cause, depth, chain }: Pick<EntryItem, 'cause' | 'depth' | 'chain'>): Told {
  return { profileId, isHistorical: cause === 'import' || cause === 'merge', depth, chain };
}

/** Returns events by id; `unread` are those at the end that might be too large together. */
async function readEvents(
  db: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<{ found: Map<string, RecordedEvent>; unread: Set<string> }> {
  if (ids.length === 0) return { found: new Map(), unread: new Set() };
  const query = sql`
    select e.*
    from ${rowsById('event', storeId, ids)} e
    order by e.n`;
  const { rows } = await sql<Candidate<EventRow>>`
    select ${EVENT_COLUMNS}, candidates from ${candidates(query, ids.length, MAX_EVENT_BYTES)} e
    order by e.n`.execute(db);
  const found = new Map(rows.map((row) => [row.id, eventFromRow(row)]));
  const isCut = rows.length < (rows[0]?.candidates ?? 0);
  return { found, unread: new Set(isCut ? ids.slice(ids.indexOf((rows.at(-1) as EventRow).id) + 1) : []) };
}

async function readRejections(db: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, Rejection>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<RejectionRow>`
    select ${REJECTION_COLUMNS}
    from rejection
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, rejectionFromRow(row)]));
}

/** Which events a reader has a use for. All others are passed over, and so are backfilled ones. */
export interface WantedEvents {
  types: readonly string[];
  /** What else has to hold of `wanted e`; `wanted` are all events of those types that are looked at together. */
  condition?: RawBuilder<unknown> | undefined;
}

/** A part of the feed, and which of the events in it. */
export interface WantedRange<Kind extends ChangeKind> extends FeedRange<Kind> {
  events: WantedEvents;
}

/** Items that are looked at together, at most. */
const MAX_SCANNED = 5_000;

/** Returns the first changes that are wanted of a part of the feed, in its order, and the position after them. */
export async function readWantedChanges<Kind extends ChangeKind>(
  db: Sql,
  storeId: string,
  { events, ...range }: WantedRange<Kind>,
  limits: ReadLimits,
): Promise<{ changes: PositionedChange<Kind>[]; reached: FeedPosition }> {
  const mostScanned = Math.min(MAX_SCANNED, limits.scanned ?? MAX_SCANNED);
  const { entries, end } = await readEntries(db, storeId, range, { items: mostScanned });
  const scanned = itemsOf(entries);
  const { items, found } = await findWanted(db, storeId, scanned, events, limits.bytes);
  const aliases = await aliasesIn(db, storeId, items, found);
  const changes: PositionedChange<Kind>[] = [];
  let reached = range.from;
  for (const item of items) {
    const change = toChange(item, found, aliases);
    if (change && changes.length === limits.items) return { changes, reached };
    reached = item.position;
    if (change) changes.push(change as PositionedChange<Kind>);
  }
  return { changes, reached: items.length === scanned.length ? end : reached };
}

/** Finds the events among items, and returns how many of these could be looked at: at least the first. */
async function findWanted(
  db: Sql,
  storeId: string,
  items: readonly EntryItem[],
  wanted: WantedEvents,
  maxBytes: number,
): Promise<{ items: readonly EntryItem[]; found: Map<string, RecordedEvent> }> {
  const { found, isKnown } = await readWantedEvents(db, storeId, idsOf(items, 'event'), wanted, maxBytes);
  const end = items.findIndex(({ kind, id }) => kind === 'event' && !isKnown(id));
  if (end < 0) return { items, found };
  if (end > 0) return { items: items.slice(0, end), found };
  // The first ones have the highest ids, as clocks of processes differ.
  return await findWanted(db, storeId, items.slice(0, Math.ceil(items.length / 2)), wanted, maxBytes);
}

/**
 * Returns the wanted ones among events, by id: from the lowest id up to which they may not be too large together, the
 * first in any case. All are looked up by their ids: between the lowest and the highest there may be very many others.
 */
async function readWantedEvents(
  db: Sql,
  storeId: string,
  ids: readonly string[],
  { types, condition = sql`true` }: WantedEvents,
  maxBytes: number,
): Promise<{ found: Map<string, RecordedEvent>; isKnown: (id: string) => boolean }> {
  if (ids.length === 0 || types.length === 0) return { found: new Map(), isKnown: () => true };
  const query = sql`select e.* from wanted e where ${condition} order by e.id`;
  const { rows } = await sql<Candidate<EventRow>>`
    with wanted as (
      select * from ${rowsTogether('event', storeId, ids)} as scanned
      where event_type = any(${texts(types)}::text[]) and (source ->> 'backfill') is distinct from 'true'
    )
    select ${EVENT_COLUMNS}, candidates from ${candidates(query, ids.length, MAX_EVENT_BYTES, maxBytes)} e
    order by id`.execute(db);
  const last = rows.at(-1)?.id;
  const isCut = last !== undefined && rows.length < (rows[0]?.candidates ?? 0);
  return {
    found: new Map(rows.map((row) => [row.id, eventFromRow(row)])),
    isKnown: isCut ? (id) => id <= last : () => true,
  };
}
