import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { type DataServer, findOnEach, type StoreData } from '../../db/store-data.ts';
import type { PeriodicTask } from '../../engine/periodic.ts';
import type { Log } from '../../process/log.ts';
import { READER } from './stored/automations.ts';

/** Whether all that a store sends by itself waits: it was restored, or somebody has paused it. */
export async function isHeld(db: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`select from automation_hold where store_id = ${storeId}`.execute(db);
  return rows.length > 0;
}

/** Lets the automations of a store go on. Returns whether they were held. */
export async function release(db: Sql, storeId: string): Promise<boolean> {
  const { rows } = await sql`delete from automation_hold where store_id = ${storeId} returning 1`.execute(db);
  return rows.length > 0;
}

/** A store that has automations, or whose messages are held. */
export interface AutomationsOfStore {
  storeId: string;
  heldAt: Date | null;
  live: number;
  paused: number;
  draining: number;
}

export async function listAutomations(stores: StoreData): Promise<AutomationsOfStore[]> {
  return await findOnEach(stores, async (db) => {
    const { rows } = await sql<Omit<AutomationsOfStore, 'heldAt'> & { held: number | null }>`
      select a.store_id as "storeId", (extract(epoch from h.held_at) * 1000)::float8 as held,
        (count(*) filter (where status = 'live'))::int as live,
        (count(*) filter (where status = 'paused'))::int as paused,
        (count(*) filter (where status = 'draining'))::int as draining
      from (select store_id, status from automation union all select store_id, null from automation_hold) a
      left join automation_hold h on h.store_id = a.store_id
      group by a.store_id, h.held_at`.execute(db);
    return rows.map(({ held, ...row }) => ({ ...row, heldAt: held === null ? null : new Date(held) }));
  });
}

/**
 * Holds stores whose automations have no place in the change feed: only a restore that was interrupted, or made without
 * the command, leaves them so. Returns for how many stores.
 */
async function holdUnread(server: DataServer): Promise<number> {
  let held = 0;
  await server.each(async (db) => {
    const { rows } = await sql`
      with unread as (
        select distinct store_id from automation a
        where status in ('live', 'paused', 'draining')
          and not exists (select from feed_reader r where r.store_id = a.store_id and r.name = ${READER})
      ), held as (
        insert into automation_hold (store_id, held_at) select store_id, now() from unread
        -- Whoever has paused it meanwhile can not let go on what was restored.
        on conflict (store_id) do update set reason = excluded.reason, held_by_kind = null, held_by = null
      ), begun as (
        insert into feed_head (store_id, position) select store_id, 0 from unread on conflict (store_id) do nothing
      ), known as (
        update automation a set read_status = status, read_version = version
        from unread u
        where a.store_id = u.store_id and (a.read_status, a.read_version) is distinct from (a.status, a.version)
      )
      insert into feed_reader (store_id, name, entry, items, read_at)
      select store_id, ${READER}, coalesce((select position from feed_head h where h.store_id = u.store_id), 0), 0, now()
      from unread u
      on conflict (store_id, name) do nothing
      returning 1`.execute(db);
    held += rows.length;
  }, 'automation');
  return held;
}

/** Holds what nobody may work on, once for each server, before anything of it is worked on. */
export class UnreadHold {
  readonly #stores: Pick<StoreData, 'servers'>;
  readonly #checked = new Set<string>();

  constructor(stores: Pick<StoreData, 'servers'>) {
    this.#stores = stores;
  }

  /**
   * Checks the servers that have not been yet: all at first, later those that were down, and new ones. Returns how many
   * stores are held now that were not; rejects if a server can't be checked, once all others are.
   */
  async checkServers(): Promise<number> {
    const unchecked = (await this.#stores.servers()).filter((server) => !this.isChecked(server));
    const outcomes = await Promise.allSettled(unchecked.map((server) => this.#check(server)));
    let held = 0;
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      held += outcome.value;
    }
    return held;
  }

  periodic(log: Log): PeriodicTask {
    return {
      failure: 'stores of a server not checked: nothing of their automations goes on',
      everyMs: 1_000,
      alsoAt: 'start',
      run: async () => {
        const held = await this.checkServers();
        if (held > 0)
          log.warn({ stores: held }, 'automations held: they were restored, and nobody has released them yet');
      },
    };
  }

  readonly isChecked = ({ name }: DataServer): boolean => this.#checked.has(name);

  async #check(server: DataServer): Promise<number> {
    const held = await holdUnread(server);
    this.#checked.add(server.name);
    return held;
  }
}
