import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { fillNames } from './fill-names.ts';
import { fillProfileUpdates } from './fill-profile-updates.ts';
import type { IndexDefinition, Work } from './work.ts';

/** A change of the schema that takes long on a filled table, and that reads and writes go on beside. Can be repeated. */
export interface BackgroundMigration {
  name: string;
  /** The table that it works on; nothing takes long where that is empty. */
  table: string;
  /** A condition of Postgres: whether there is nothing to do. */
  isDone: string;
  /** Statements that do the same at once. */
  onEmpty: readonly string[];
  /** An interval of Postgres before which it does not run. */
  delay?: string;
  /** Those that have to be complete before it runs. */
  after?: readonly BackgroundMigration[];
  run(work: Work): Promise<void>;
}

const ORDER_INDEX = {
  table: 'event',
  name: 'event_order_id',
  columns: `(store_id, (left(properties ->> 'order_id', 40) collate "C"), occurred_at, id)`,
  where: `properties ->> 'order_id' is not null`,
};
/** Of the version before: by a hash. */
const FORMER_ORDER_INDEX = 'event_order';
const DROP_FORMER = `drop index if exists ${FORMER_ORDER_INDEX}`;

const UPDATE_INDEX = {
  table: 'profile',
  name: 'profile_updated',
  columns: '(store_id, updated_at, id)',
  // It holds for all, and only statements that contain it can use the index: in a table that it has no statistics of yet,
  // Postgres would take it for better than the primary key, and read the store to look up a profile.
  where: `updated_at > timestamptz '-infinity'`,
};
const DROP_UPDATE_INDEX = `drop index if exists ${UPDATE_INDEX.name}`;
/** Milliseconds in which every process learns that it has no use for an index any more. */
const LEARN_MS = 3_000;

const NAME_INDEXES: readonly IndexDefinition[] = ['full_name', 'last_name'].map((column) => ({
  table: 'profile',
  name: `profile_${column}`,
  columns: `(store_id, ${column}, id)`,
  where: `${column} is not null`,
}));
/** Of the version before: it generated the names. */
const DROP_LOWER_NAME = 'drop function if exists lower_name(text)';

const DUE_INDEX = {
  table: 'import_job',
  name: 'import_job_due',
  columns: '(store_id, retry_at nulls first)',
  where: `status <> 'complete'`,
};
const FAILED_RUN_INDEX = {
  table: 'automation_run',
  name: 'automation_run_failed_at',
  columns: '(store_id, ended_at)',
  where: `status = 'failed'`,
};
const ACTOR_AND_OPERATION_INDEX = {
  table: 'audit_entry',
  name: 'audit_entry_of_actor_and_operation',
  columns: '(store_id, actor_id, operation, id)',
  where: 'actor_id is not null',
};
const IDENTIFIER_INDEX = {
  table: 'profile_identifier',
  name: 'profile_identifier_of_profile',
  columns: '(store_id, profile_id)',
  // It holds for all, as above. No look-up by the primary key implies it, as `kind = 'email'` would that of a kind.
  where: `profile_id > '${LOWEST_ID}'`,
};

/** Of the version before: what told which stores its queue had lost. */
const DROP_OPEN_INDEX = 'drop index if exists import_job_open';
/**
 * The schema of the queue of the version before, by a library that others use too: it may be the queue of another
 * application, or of both, and stays unless all tasks in it are ours.
 */
const QUEUE_SCHEMA = 'graphile_worker';
const DROP_OWN_QUEUE = `
  do $$ begin
    -- Not known to all versions of the library.
    if to_regclass('${QUEUE_SCHEMA}._private_tasks') is null then return; end if;
    lock table ${QUEUE_SCHEMA}._private_tasks in access exclusive mode;
    if (select bool_and(identifier = 'import') from ${QUEUE_SCHEMA}._private_tasks) then
      drop schema ${QUEUE_SCHEMA} cascade;
    end if;
  -- It has another owner.
  exception when insufficient_privilege or undefined_column then null;
  end $$`;

/** An update that leaves the names as they are then writes no index: without room on the page it writes all of them. */
const KEEP_ROOM = 'alter table profile set (fillfactor = 90)';

/** Of an entry whose version with a position is on the page of that without, its ids are not logged again. */
const KEEP_HALF = 'alter table addition set (fillfactor = 50)';

const KINDS = { table: 'profile_identifier', name: 'profile_identifier_kind_check' };
const CAUSES = { table: 'segment_change', name: 'segment_change_cause_check' };

const createIndex = ({ table, name, columns, where }: IndexDefinition) =>
  `create index ${name} on ${table} ${columns} where ${where}`;

/** Events are found by their order. */
export const EVENTS_BY_ORDER: BackgroundMigration = {
  name: 'events_by_order',
  table: ORDER_INDEX.table,
  isDone: 'false',
  onEmpty: [createIndex(ORDER_INDEX)],
  run: (work) => work.createPartitionedIndex(ORDER_INDEX),
};

/** The index that it replaces is gone. Not at once: processes of the version before may still run beside this one. */
export const FORMER_EVENTS_BY_ORDER: BackgroundMigration = {
  name: 'events_by_order_former',
  table: ORDER_INDEX.table,
  isDone: `to_regclass('${FORMER_ORDER_INDEX}') is null`,
  onEmpty: [DROP_FORMER],
  delay: '1 day',
  run: (work) => work.briefly(DROP_FORMER),
};

/** Profiles are listed in the order of their latest change, by an index, until `PROFILE_UPDATES` is complete. */
export const PROFILES_BY_UPDATE: BackgroundMigration = {
  name: 'profiles_by_update',
  table: UPDATE_INDEX.table,
  isDone: `to_regclass('${UPDATE_INDEX.name}') is not null`,
  onEmpty: [createIndex(UPDATE_INDEX)],
  run: (work) => work.createIndex(UPDATE_INDEX),
};

/** Every profile is in the journal of changes. Not at once: processes of the version before make no entries. */
export const PROFILE_UPDATES: BackgroundMigration = {
  name: 'profile_updates',
  // Where there is a store, processes of the version before may have it, though it has no profiles yet.
  table: 'store',
  isDone: 'false',
  onEmpty: [],
  delay: '1 day',
  run: (work) => work.inEachStore(fillProfileUpdates),
};

/** The index that the journal replaces is gone. */
export const FORMER_PROFILES_BY_UPDATE: BackgroundMigration = {
  name: 'profiles_by_update_former',
  table: 'store',
  isDone: 'false',
  onEmpty: [DROP_UPDATE_INDEX],
  delay: '1 day',
  after: [PROFILES_BY_UPDATE, PROFILE_UPDATES],
  async run(work) {
    await work.pause(LEARN_MS);
    await work.briefly(DROP_UPDATE_INDEX);
  },
};

/** All identifiers are of a known kind. */
export const IDENTIFIER_KINDS = validated('identifier_kinds', KINDS);

/** All changes of segments have a known cause. */
export const SEGMENT_CAUSES = validated('segment_causes', CAUSES);

/**
 * New pages of profiles keep a tenth for the next versions of their rows. Its lock waits for whoever vacuums the table or
 * makes an index of it.
 */
export const ROOM_FOR_UPDATES: BackgroundMigration = altered('room_for_updates', 'profile', KEEP_ROOM);

/** New pages of the feed keep half for the same rows with their positions, which each gets once. */
export const ROOM_FOR_POSITIONS: BackgroundMigration = altered('room_for_positions', 'addition', KEEP_HALF);

/** Customers are found by their names. */
export const CUSTOMERS_BY_NAME: BackgroundMigration = {
  name: 'customers_by_name',
  table: 'profile',
  isDone: NAME_INDEXES.map(({ name }) => `to_regclass('${name}') is not null`).join(' and '),
  onEmpty: NAME_INDEXES.map(createIndex),
  async run(work) {
    await work.inEachStore(fillNames);
    for (const index of NAME_INDEXES) await work.createIndex(index);
  },
};

/** So are those whom processes of the version before have written beside this one. */
export const NAMES_OF_FORMER_WRITERS: BackgroundMigration = {
  name: 'customers_by_name_former',
  table: 'profile',
  isDone: 'false',
  onEmpty: [DROP_LOWER_NAME],
  delay: '1 day',
  async run(work) {
    await work.inEachStore(fillNames);
    await work.briefly(DROP_LOWER_NAME);
  },
};

/** Stores are found that have jobs which are due. */
export const JOBS_DUE: BackgroundMigration = indexed('jobs_due', DUE_INDEX);

/** Runs that have failed of late are found without those that have ended well. */
export const FAILED_RUNS: BackgroundMigration = indexed('failed_runs', FAILED_RUN_INDEX);

/** Of the audit log, what somebody has done of one operation is found without all else. */
export const AUDIT_BY_ACTOR_AND_OPERATION: BackgroundMigration = indexed(
  'audit_by_actor_and_operation',
  ACTOR_AND_OPERATION_INDEX,
);

/** All identifiers of a profile are found by its id. */
export const IDENTIFIERS_BY_PROFILE: BackgroundMigration = indexed('identifiers_by_profile', IDENTIFIER_INDEX);

/** The queue that the version before had is gone, if it was that of nobody else. */
export const FORMER_JOB_QUEUE: BackgroundMigration = {
  name: 'job_queue_former',
  table: 'store',
  isDone: 'false',
  onEmpty: [DROP_OPEN_INDEX],
  delay: '1 day',
  async run(work) {
    await work.briefly(DROP_OPEN_INDEX);
    await work.briefly(DROP_OWN_QUEUE);
    if (await work.hasSchema(QUEUE_SCHEMA))
      work.note(`the schema ${QUEUE_SCHEMA} stays: it may be another application's`);
  },
};

/**
 * Secrets of webhooks may be encrypted. Not at once: processes of the version before would take what is encrypted for the secret,
 * and sign with that.
 */
export const WEBHOOK_SECRETS_SEALED: BackgroundMigration = {
  name: 'webhook_secrets_sealed',
  table: 'store',
  isDone: 'false',
  onEmpty: [],
  delay: '1 day',
  run: async () => {},
};

function indexed(name: string, index: IndexDefinition): BackgroundMigration {
  const { table } = index;
  return { name, table, isDone: 'false', onEmpty: [createIndex(index)], run: (work) => work.createIndex(index) };
}

function altered(name: string, table: string, statement: string): BackgroundMigration {
  return { name, table, isDone: 'false', onEmpty: [statement], run: (work) => work.briefly(statement) };
}

/** A constraint that was added `not valid` holds for what was there before, too. */
function validated(name: string, constraint: { table: string; name: string }): BackgroundMigration {
  const { table } = constraint;
  const validate = `alter table ${table} validate constraint ${constraint.name}`;
  return {
    name,
    table,
    isDone: `(select convalidated from pg_constraint where conrelid = '${table}'::regclass and conname = '${constraint.name}')`,
    onEmpty: [validate],
    run: (work) => work.atLength(validate),
  };
}

/** In the order in which they run: first what is done soon and every search for jobs reads. */
export const BACKGROUND_MIGRATIONS: readonly BackgroundMigration[] = [
  JOBS_DUE,
  EVENTS_BY_ORDER,
  PROFILES_BY_UPDATE,
  IDENTIFIERS_BY_PROFILE,
  IDENTIFIER_KINDS,
  ROOM_FOR_UPDATES,
  CUSTOMERS_BY_NAME,
  FORMER_EVENTS_BY_ORDER,
  NAMES_OF_FORMER_WRITERS,
  PROFILE_UPDATES,
  FORMER_PROFILES_BY_UPDATE,
  FORMER_JOB_QUEUE,
  WEBHOOK_SECRETS_SEALED,
  SEGMENT_CAUSES,
  FAILED_RUNS,
  ROOM_FOR_POSITIONS,
];
