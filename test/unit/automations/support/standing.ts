import type { Definition } from '../../../../src/domain/automations/core/definition/definition.ts';
import type { Assumption } from '../../../../src/domain/automations/core/simulation/assumptions.ts';
import { simulate } from '../../../../src/domain/automations/core/simulation/simulate.ts';
import { START } from './shop.ts';

export type { KnownStanding } from '../../../../src/domain/automations/core/simulation/world.ts';

/** A list and a segment. */
export const VIPS = '01a1f846-0000-7000-8000-00000000000a';
export const WINTER = '01a1f848-0000-7000-8000-00000000000b';

/** Of a customer of whom nothing is known but what is assumed, who has the event that triggers. */
export function simulateWith(definition: Definition, assume: readonly Assumption[]) {
  const event = { id: 'event', eventType: 'started', properties: {}, occurredAt: START, receivedAt: START };
  return simulate(
    definition,
    { type: 'event', event: { ...event, backfill: false, depth: 0 }, runId: 'run' },
    { profile: { id: 'ada', identifiers: {}, attributes: {} }, assume },
  );
}
