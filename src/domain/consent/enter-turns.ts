import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { ConsentChange } from './consent.ts';

/** Milliseconds after which a choice is history when it is recorded. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/** Enters into the change feed who has opted in to a channel, or out of it, and had not before. */
export async function enterTurns(tx: Sql, storeId: string, turns: readonly ConsentChange[]): Promise<void> {
  for (const alike of Map.groupBy(turns, whatIsSame).values()) {
    const [{ channel, kind, isFromClient = false, led, ...first }] = alike as [ConsentChange];
    const id = newId();
    const chains = led ? sql`${texts(alike.map((turn) => turn.led?.chain ?? null))}::text[]::uuid[]` : sql`null`;
    await sql`
      insert into addition
        (store_id, first_id, last_id, kind, ids, channel, has_joined, from_client, cause, depth, chains)
      values (${storeId}, ${id}, ${id}, 'consent_change', ${uuids(alike.map(({ profileId }) => profileId))}::uuid[],
        ${channel}, ${kind === 'subscribed'}, ${isFromClient}, ${isHistory(first) ? 'import' : null},
        ${led?.depth ?? null}::int, ${chains})`.execute(tx);
  }
}

function whatIsSame(turn: ConsentChange): string {
  const { channel, kind, isFromClient = false, led } = turn;
  return JSON.stringify([channel, kind, isFromClient, isHistory(turn), led?.depth]);
}

/** Nothing starts by what was chosen long ago, and is only recorded now. */
function isHistory({ isHistorical = false, changedAt }: Pick<ConsentChange, 'isHistorical' | 'changedAt'>): boolean {
  return isHistorical || Date.now() - changedAt.getTime() > RECENT_MS;
}
