import { sql } from 'kysely';
import { byProfile, byProfileWithin, nameOf, plain, type Section, timeOf, times } from '../section.ts';

export const LISTS: Section = {
  name: 'lists',
  columns: {
    ...plain('list_id'),
    list_name: nameOf('list', 'list_id'),
    ...times('joined_at'),
    ...plain('how', 'source'),
  },
  key: { list_id: 'uuid' },
  rows: byProfileWithin('list_member', 'list_id', 'list'),
};

/** By the generation that serves: others are being built, or are over. */
export const SEGMENTS: Section = {
  name: 'segments',
  columns: { ...plain('segment_id'), segment_name: nameOf('segment', 'segment_id'), ...times('entered_at') },
  key: { segment_id: 'uuid' },
  rows: ({ storeId }, id) => sql`
    select t.* from segment_member t
    where t.store_id = ${storeId} and t.profile_id = ${id} and t.generation = (
      select s.generation from segment s where s.store_id = ${storeId} and s.id = t.segment_id)`,
};

/** A change that comes with a generation has the time at which that began to serve, and is not there before. */
export const SEGMENT_CHANGES: Section = {
  name: 'segment_changes',
  columns: {
    ...plain('id', 'segment_id'),
    segment_name: nameOf('segment', 'segment_id'),
    ...plain('kind', 'cause'),
    changed_at: timeOf(sql`coalesce(r.changed_at, (
      select b.finished_at from segment_build b
      where b.store_id = r.store_id and b.segment_id = r.segment_id and b.generation = r.generation))`),
  },
  key: { segment_id: 'uuid', id: 'uuid' },
  rows: (of, id) => sql`
    ${byProfile('segment_change')(of, id, undefined)} and t.generation <= (
      select s.generation from segment s where s.store_id = ${of.storeId} and s.id = t.segment_id)`,
};
