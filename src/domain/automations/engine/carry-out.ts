import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { EventItem } from '../../catalog/find-event-items.ts';
import { findMessageItems } from '../../catalog/message-items.ts';
import { bytesOf, MAX_BODY } from '../../webhooks/deliveries/message.ts';
import { type EndpointQueues, insertDeliveries, type NewDelivery } from '../../webhooks/deliveries/queue.ts';
import type { Draft } from '../../write/draft.ts';
import { recordInTransaction } from '../../write/record-batch.ts';
import type { Effect } from '../core/machine/effects.ts';
import type { Run } from '../core/machine/run.ts';
import { CALL_TYPE } from '../core/machine/steps/call-webhook.ts';
import type { EventOrigin } from '../stored/customer-event.ts';
import type { Entrant } from './entrant.ts';
import type { EngineTools } from './tools.ts';

/** Runs whose step can't have the effect that it asks for, such as one attribute more than a profile may have. */
export class RefusedEffects extends Error {
  /** The codes of the refusals, by the ids of the runs. */
  readonly codes: ReadonlyMap<string, string>;

  constructor(codes: ReadonlyMap<string, string>) {
    super('Effects of steps were refused');
    this.codes = codes;
  }
}

/** Keys of events that automations emit are apart from all others. */
const KEY_SCOPE = 'automation run';

/**
 * Writes what runs do to profiles, and the events that they emit, in the order of the entrants. Throws
 * `RefusedEffects` if any is refused; the transaction must not be committed then.
 */
export async function carryOut(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  { keepsHistory }: Pick<EngineTools, 'keepsHistory'>,
  now: number,
): Promise<void> {
  const asked = entrants.flatMap(({ automationId, profileId, reactions }) =>
    reactions.flatMap(({ effects }) =>
      effects.flatMap((effect) => {
        const draft = toDraft(profileId, effect, now);
        return draft && 'runId' in effect ? [{ runId: effect.runId, type: effect.type, automationId, draft }] : [];
      }),
    ),
  );
  if (asked.length === 0) return;
  const isHistoryKept = await keepsHistory(storeId);
  const outcomes = await recordInTransaction(
    tx,
    storeId,
    asked.map(({ draft, type, automationId }) =>
      isHistoryKept ? { ...draft, origin: { surface: 'automation', operation: type, actor: automationId } } : draft,
    ),
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

/** With the bytes of its body. */
type Queued = NewDelivery & { size: number };

/**
 * Writes the messages that runs send, as the bytes that each attempt sends. Throws `RefusedEffects` if any is refused, as
 * its endpoint takes none or it is too large; the transaction must not be committed then.
 */
export async function queueDeliveries(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  queues: EndpointQueues,
  now: number,
): Promise<void> {
  const [asked, calls] = [entrants.flatMap(deliveriesOf), entrants.flatMap(callsOf)];
  if (asked.length + calls.length === 0) return;
  const items = await findMessageItems(
    tx,
    storeId,
    asked.map(({ effect }) => effect.itemsOf ?? {}),
  );
  const queued = [...asked.map((one, i) => toQueued(one, items[i] as EventItem[], now)), ...calls];
  const refusals = await queues.refusals(tx, storeId, [...new Set(queued.map(({ endpointId }) => endpointId))]);
  const refused = queued.flatMap(({ runId, endpointId, size }): [string, string][] => {
    const code = refusals.get(endpointId) ?? (size > MAX_BODY ? 'message_too_large' : undefined);
    return code === undefined ? [] : [[runId, code]];
  });
  if (refused.length > 0) throw new RefusedEffects(new Map(refused));
  await insertDeliveries(tx, storeId, queued, now);
}

interface AskedDelivery {
  effect: Extract<Effect, { type: 'send_webhook' }>;
  automationId: string;
  run: Run | undefined;
}

function deliveriesOf({ automationId, reactions }: Entrant): AskedDelivery[] {
  return reactions.flatMap(({ effects, runs }) =>
    effects.flatMap((effect) => {
      if (effect.type !== 'send_webhook') return [];
      return [{ effect, automationId, run: runs.find(({ id }) => id === effect.runId) }];
    }),
  );
}

function toQueued({ effect, automationId, run }: AskedDelivery, found: readonly EventItem[], now: number): Queued {
  const { runId, seq, stepId, endpointId, messageType: type, data, profile, event, itemsOf, expiresAt } = effect;
  const automation = { id: automationId, version: run?.version ?? 0, runId, stepId };
  const items = itemsOf && found;
  const body = bytesOf({ type, at: now, data, automation, profile, event, items });
  const isAwaited = isAwaiting(run, seq);
  return { runId, seq, endpointId, messageType: type, body, request: null, isAwaited, expiresAt, size: body.length };
}

/** Requests of one's own: their bytes are made already. */
function callsOf({ reactions }: Entrant): Queued[] {
  return reactions.flatMap(({ effects, runs }) =>
    effects.flatMap((effect) => {
      if (effect.type !== 'call_webhook') return [];
      const { runId, seq, endpointId, method, path, headers, isSigned, expiresAt } = effect;
      const body = Buffer.from(effect.body);
      const isAwaited = isAwaiting(
        runs.find(({ id }) => id === runId),
        seq,
      );
      const request = { method, path, headers, isSigned };
      const size = body.length;
      return [{ runId, seq, endpointId, messageType: CALL_TYPE, body, request, isAwaited, expiresAt, size }];
    }),
  );
}

function isAwaiting(run: Run | undefined, seq: number): boolean {
  return run?.waiting?.for === 'delivery' && run.waiting.seq === seq;
}
