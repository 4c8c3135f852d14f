import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { Draft } from '../../write/draft.ts';
import { recordInTransaction } from '../../write/record-batch.ts';
import type { Effect } from '../core/machine/effects.ts';
import type { EventOrigin } from '../stored/customer-event.ts';
import type { Lane } from './lane.ts';
import { RefusedEffects } from './refused-effects.ts';

/** Keys of events that automations emit are apart from all others. */
const KEY_SCOPE = 'automation run';

/**
 * Writes what runs do to profiles, and the events that they emit, in the order of the lanes. Throws
 * `RefusedEffects` if any is refused; the transaction must not be committed then.
 */
export async function carryOut(tx: Sql, storeId: string, lanes: readonly Lane[], now: number): Promise<void> {
  const asked = lanes.flatMap(({ profileId, reactions }) =>
    reactions.flatMap(({ effects }) =>
      effects.flatMap((effect) => {
        const draft = toDraft(profileId, effect, now);
        return draft && 'runId' in effect ? [{ runId: effect.runId, draft }] : [];
      }),
    ),
  );
  if (asked.length === 0) return;
  const outcomes = await recordInTransaction(
    tx,
    storeId,
    asked.map(({ draft }) => draft),
    { returnProfiles: false },
  );
  const refused = outcomes.flatMap((outcome, i): [string, string][] =>
    outcome instanceof Error ? [[(asked[i] as (typeof asked)[number]).runId, codeOf(outcome)]] : [],
  );
  if (refused.length > 0) throw new RefusedEffects(new Map(refused));
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'validation_error';
}

function toDraft(profileId: string, effect: Effect, now: number): Draft | undefined {
  const change = { profileId, identifiers: {}, onIdentifierConflict: 'ignore' } as const;
  switch (effect.type) {
    case 'set_profile': {
      const unset = Object.fromEntries(effect.unset.map((name) => [name, null]));
      const { depth, chain } = effect;
      return { ...change, patch: { set: { ...effect.set, ...unset } }, depth, chain };
    }
    case 'emit_event': {
      const source: EventOrigin = {
        automation: { run_id: effect.runId, depth: effect.depth, chain: effect.chain },
      };
      const [occurredAt, receivedAt] = [new Date(now), new Date(now)];
      const event = {
        id: newId(),
        eventType: effect.eventType,
        properties: { ...effect.properties },
        source: { ...source },
        idempotencyKey: effect.key,
        occurredAt,
        receivedAt,
      };
      return { ...change, event, idempotencyScope: KEY_SCOPE };
    }
    default:
      return undefined;
  }
}
