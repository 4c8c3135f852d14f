import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import { rowById } from '../../db/rows.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../ids/uuid-v7.ts';
import { EARLIEST, LATEST } from '../time/moment.ts';
import { decode, encode, idCursor, notACursor, readIdCursor, readTimeCursor, timeCursor } from './cursor.ts';
import type { ProfileOrder, ProfileSearch, TimeRange } from './profile-conditions.ts';
import { hasUpdatesBeyond, type UpdateRange, updatesIn } from './profile-updates.ts';

/** Where a profile is in an order. */
export interface Place {
  id: string;
  /** Its id, milliseconds of Unix time, or an e-mail address. */
  place: string | number;
}

/** The profiles that a search may find, in its order. */
export interface Places {
  /** `from … where …`, in which a profile is `p`: those after the cursor, of which `most` are looked at. */
  from(most: number): RawBuilder<unknown>;
  /** What they are ordered by, the place first. An index has this order, unless there are only a few. */
  keys: [place: RawBuilder<unknown>, ...RawBuilder<unknown>[]];
  /** Which of them are found. */
  fits: RawBuilder<unknown>;
  /** Whether many of them may not be found. */
  isSelective: boolean;
  /** If they are listed also where they were before. */
  former?: FormerPlaces;
  /** Converts a place to one that `cursorOf` takes. */
  shown(place: RawBuilder<unknown>): RawBuilder<unknown>;
  cursorOf(place: Place): string;
}

/** Places that profiles had before: they are passed over. */
export interface FormerPlaces {
  /** The id of a profile, which may be at another place. */
  id: RawBuilder<unknown>;
  /** How many of these may be passed over at once, beside the profiles of a page. */
  atOnce: number;
  /** Whether there is any place after one. */
  isMoreAfter(place: RawBuilder<unknown>): RawBuilder<unknown>;
}

type Select = (storeId: string, search: ProfileSearch, ids: readonly string[] | undefined, cursor?: string) => Places;

/** Former changes of profiles that are passed over at once: hardly any where they are removed in time. */
const FORMER_CHANGES = 100;

/** Holds for every profile; statements must contain it literally to use the index of their latest changes. */
const IS_INDEXED = sql`p.updated_at > timestamptz '-infinity'`;

/** Selects the profiles that a search may find: all after a cursor, or those of them that have one of some ids. */
export const selectPlaces: Record<ProfileOrder, Select> = {
  created: (storeId, search, ids, cursor) => {
    const { created, updated, suppression, descending } = search;
    const { lowest, highest } = idRange(created, descending, cursor);
    const order = { shown: (id: RawBuilder<unknown>) => id, cursorOf: idCursor };
    if (suppression && !ids) {
      // Rows are compared, for the planner takes a range of ids alone for so narrow that it would read and sort all of it.
      const from = sql`
        from consent c
        cross join lateral ${rowById('profile', storeId, 'c.profile_id')} p
        where ${isSuppressedBy(storeId, suppression)}
          and (c.store_id, c.profile_id) > (${storeId}, ${lowest})
          and (c.store_id, c.profile_id) < (${storeId}, ${highest})`;
      return {
        ...order,
        from: () => from,
        keys: [sql`c.profile_id`],
        ...allOf(isIn('created', created), isIn('updated', updated)),
      };
    }
    const isCreatedThen = isIn('created', created) ?? sql`true`;
    return {
      ...order,
      from: () => sql`${profilesOf(storeId, ids)} and p.id > ${lowest} and p.id < ${highest} and ${isCreatedThen}`,
      keys: [sql`p.id`],
      ...allOf(isIn('updated', updated), isSuppressed(storeId, search)),
    };
  },

  updated: (storeId, search, ids, cursor) => {
    const range = updateRange(search.updated, search.descending, cursor);
    const order = {
      shown: (time: RawBuilder<unknown>) => sql`(extract(epoch from ${time}) * 1000)::float8`,
      cursorOf: ({ id, place }: Place) => timeCursor({ at: new Date(place), id }),
    };
    const { fits, isSelective } = allOf(isIn('created', search.created), isSuppressed(storeId, search));
    if (ids || search.lacksJournal) {
      const from = sql`${profilesOf(storeId, ids)} and ${IS_INDEXED} and ${isWithin(range)}`;
      return { ...order, from: () => from, keys: [sql`p.updated_at`, sql`p.id`], fits, isSelective };
    }
    return {
      ...order,
      from: (most) => sql`
        from (${updatesIn(storeId, range, most)}) u
        left join lateral ${rowById('profile', storeId, 'u.id')} p on true`,
      keys: [sql`u.updated_at`, sql`u.id`],
      fits: sql`p.updated_at = u.updated_at and ${fits}`,
      isSelective,
      former: {
        id: sql`u.id`,
        atOnce: FORMER_CHANGES,
        isMoreAfter: (time) => hasUpdatesBeyond(storeId, range, time),
      },
    };
  },

  email: (storeId, search, ids, cursor) => {
    const after = cursor === undefined ? undefined : readEmailCursor(cursor);
    const isAfter = (email: RawBuilder<unknown>) =>
      after === undefined ? sql`true` : search.descending ? sql`${email} < ${after}` : sql`${email} > ${after}`;
    const conditions = [
      isIn('created', search.created),
      isIn('updated', search.updated),
      isSuppressed(storeId, search),
    ];
    const order = {
      shown: (email: RawBuilder<unknown>) => email,
      cursorOf: ({ place }: Place) => encode(String(place)),
    };
    if (ids) {
      const email = sql`p.email collate "C"`;
      const from = sql`${profilesOf(storeId, ids)} and p.email is not null and ${isAfter(email)}`;
      return { ...order, from: () => from, keys: [email], ...allOf(...conditions) };
    }
    const from = sql`
      from profile_identifier i
      cross join lateral ${rowById('profile', storeId, 'i.profile_id')} p
      where i.store_id = ${storeId} and i.kind = 'email' and ${isAfter(sql`i.value`)}`;
    const { fits, isSelective } = allOf(...conditions);
    // A profile keeps the addresses that it had before.
    return { ...order, from: () => from, keys: [sql`i.value`], fits: sql`p.email = i.value and ${fits}`, isSelective };
  },
};

function allOf(...conditions: (RawBuilder<unknown> | undefined)[]): Pick<Places, 'fits' | 'isSelective'> {
  const given = conditions.filter((condition) => condition !== undefined);
  return { fits: sql.join([sql`true`, ...given], sql` and `), isSelective: given.length > 0 };
}

function profilesOf(storeId: string, ids: readonly string[] | undefined): RawBuilder<unknown> {
  if (!ids) return sql`from profile p where p.store_id = ${storeId}`;
  return sql`
    from (select distinct id from unnest(${uuids(ids)}::uuid[]) as id) wanted
    cross join lateral ${rowById('profile', storeId, 'wanted.id')} p
    where true`;
}

/** Undefined for any time. */
function isIn(time: 'created' | 'updated', { from, before }: TimeRange): RawBuilder<unknown> | undefined {
  if (!from && !before) return undefined;
  const column = sql.ref(`p.${time}_at`);
  return sql`(${column} >= ${clamped(from, EARLIEST)} and ${column} < ${clamped(before, LATEST)})`;
}

function isSuppressed(storeId: string, { suppression }: ProfileSearch): RawBuilder<unknown> | undefined {
  // With a limit it is looked up for each profile: Postgres might rather read all of the store for an `exists`.
  return (
    suppression &&
    sql`(select true from consent c where ${isSuppressedBy(storeId, suppression)} and c.profile_id = p.id limit 1) is true`
  );
}

/** A condition on `consent c`. */
function isSuppressedBy(storeId: string, suppression: NonNullable<ProfileSearch['suppression']>): RawBuilder<unknown> {
  const isReason =
    suppression === 'unsubscribed' ? sql`c.status = 'unsubscribed'` : sql`c.suppression_reason = ${suppression.reason}`;
  return sql`c.store_id = ${storeId} and c.channel = 'email' and ${isReason}`;
}

/** Returns the range of the profiles that were created in a time, after a cursor; both ends are exclusive. */
function idRange(created: TimeRange, descending: boolean, cursor: string | undefined) {
  let [lowest, highest] = [
    idAt(created.from, -ID_MARGIN_MS, LOWEST_ID),
    idAt(created.before, ID_MARGIN_MS, HIGHEST_ID),
  ];
  if (cursor === undefined) return { lowest, highest };
  const place = readIdCursor(cursor).toLowerCase();
  if (descending && place < highest) highest = place;
  if (!descending && place > lowest) lowest = place;
  return { lowest, highest };
}

/** Milliseconds by which the time of a profile's id may differ from when the profile was created. */
const ID_MARGIN_MS = 60_000;

function idAt(time: Date | undefined, margin: number, unbounded: string): string {
  if (!time) return unbounded;
  return lowestIdAt(new Date(Math.min(Math.max(0, time.getTime() + margin), LATEST.getTime())));
}

function updateRange({ from, before }: TimeRange, descending: boolean, cursor: string | undefined): UpdateRange {
  const [start, end] = [clamped(from, EARLIEST), clamped(before, LATEST)];
  const after = cursor === undefined ? undefined : readTimeCursor(cursor);
  if (descending) {
    return { after: after && after.at < end ? after : { at: end, id: LOWEST_ID }, end: start, descending };
  }
  return { after: after && after.at >= start ? after : { at: start, id: LOWEST_ID }, end, descending };
}

/** A condition with a single bound at either end: given two, Postgres might read the index from the wider one. */
function isWithin({ after: { at, id }, end, descending }: UpdateRange): RawBuilder<unknown> {
  const [after, until] = descending ? [sql`<`, sql`>=`] : [sql`>`, sql`<`];
  return sql`p.updated_at ${until} ${end} and (p.updated_at, p.id) ${after} (${at}::timestamptz, ${id}::uuid)`;
}

function clamped(time: Date | undefined, unbounded: Date): Date {
  const ms = (time ?? unbounded).getTime();
  return new Date(Math.min(Math.max(ms, EARLIEST.getTime()), LATEST.getTime()));
}

function readEmailCursor(cursor: string): string {
  const email = decode(cursor);
  if (!email?.includes('@')) throw notACursor();
  return email;
}
