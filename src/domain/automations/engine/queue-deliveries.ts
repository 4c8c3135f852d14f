import type { Sql } from '../../../db/sql.ts';
import { bytesOf, MAX_BODY } from '../../webhooks/message.ts';
import { type EndpointQueues, insertDeliveries, type NewDelivery } from '../../webhooks/queue.ts';
import type { Lane } from './lane.ts';
import { RefusedEffects } from './refused-effects.ts';

/** With the bytes of its body. */
type Queued = NewDelivery & { size: number };

/**
 * Writes the messages that runs send, as the bytes that each attempt sends. Throws `RefusedEffects` if any is refused, as
 * its endpoint takes none or it is too large; the transaction must not be committed then.
 */
export async function queueDeliveries(
  tx: Sql,
  storeId: string,
  lanes: readonly Lane[],
  queues: EndpointQueues,
  now: number,
): Promise<void> {
  const queued = lanes.flatMap((lane) => deliveriesOf(lane, now));
  if (queued.length === 0) return;
  const refusals = await queues.refusals(tx, storeId, [...new Set(queued.map(({ endpointId }) => endpointId))]);
  const refused = queued.flatMap(({ runId, endpointId, size }): [string, string][] => {
    const code = refusals.get(endpointId) ?? (size > MAX_BODY ? 'message_too_large' : undefined);
    return code === undefined ? [] : [[runId, code]];
  });
  if (refused.length > 0) throw new RefusedEffects(new Map(refused));
  await insertDeliveries(tx, storeId, queued, now);
}

function deliveriesOf({ automationId, reactions }: Lane, now: number): Queued[] {
  return reactions.flatMap(({ effects, runs }) =>
    effects.flatMap((effect) => {
      if (effect.type !== 'send_webhook') return [];
      const { runId, seq, stepId, endpointId, messageType: type, data, profile, event, expiresAt } = effect;
      const run = runs.find(({ id }) => id === runId);
      const automation = { id: automationId, version: run?.version ?? 0, runId, stepId };
      const body = bytesOf({ type, at: now, data, automation, profile, event });
      const isAwaited = run?.waiting?.for === 'delivery' && run.waiting.seq === seq;
      return [{ runId, seq, endpointId, messageType: type, body, isAwaited, expiresAt, size: body.length }];
    }),
  );
}
