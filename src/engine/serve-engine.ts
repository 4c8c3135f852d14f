import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Settings } from '../db/orm.ts';
import type { Sql } from '../db/sql.ts';
import { serveThread, type ThreadTools } from '../threads/serve-thread.ts';
import type { EngineSetup, Task } from './engine.ts';
import type { TurnResult } from './turns.ts';

/** Does something for a store, or for a part of it. Returns whether something may be left to do. */
export type Perform = (db: Sql, storeId: string, part: string) => Promise<boolean>;

interface EngineThread<Setup, Notice> {
  /** To each server. */
  connections: (setup: Setup) => number;
  settings?: Settings;
  /** What the log calls the part of a store. */
  part?: string;
  /** Returns what it does for stores, by the names of the tasks, which the log says too. */
  open: (tools: ThreadTools<Setup, Notice> & { stores: Database['stores'] }) => Record<string, Perform>;
}

/** Runs in the thread of an engine: does what it is asked to, until it is told to stop. */
export function serveEngine<Setup extends EngineSetup, Notice = never>({
  connections,
  settings = SETTINGS_OF_ENGINES,
  part: partName = 'part',
  open,
}: EngineThread<Setup, Notice>): void {
  serveThread<Setup, Task, TurnResult, Notice>(async (tools) => {
    const { data, log } = tools;
    const database = await openDatabase(data.address, connections(data), settings);
    const { stores } = database;
    const tasks = open({ ...tools, stores });
    return {
      async answer({ task, id }) {
        const [storeId, part] = id.split('/') as [string, string];
        try {
          const isMore = await (tasks[task] as Perform)(stores.of(storeId), storeId, part);
          return { answer: { isMore, hasFailed: false } };
        } catch (err) {
          log.warn({ err, store_id: storeId, [partName]: part }, `${task} interrupted`);
          return { answer: { isMore: true, hasFailed: true } };
        }
      },
      stop: () => database.close(),
    };
  });
}
