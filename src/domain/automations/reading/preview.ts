import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../../db/sql.ts';
import type { Caller } from '../../caller.ts';
import type { CustomerEvent } from '../../conditions/subject.ts';
import { readEvents } from '../../reading/events.ts';
import { expectScopesToDefine } from '../access/scopes.ts';
import type { Definition } from '../core/definition/definition.ts';
import type { Automation } from '../core/machine/automation.ts';
import type { EntryDecision } from '../core/machine/entry.ts';
import type { Facts } from '../core/machine/facts.ts';
import { explainEntry } from '../core/machine/react.ts';
import { lookUpFacts } from '../engine/look-up-facts.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';

export interface PreviewedEntry {
  event: CustomerEvent;
  profileId: string;
  decision: EntryDecision;
}

const MAX_EVENTS = 100;
/** Events whose customers are looked at together: all attributes of each are in memory. */
const MAX_AT_ONCE = 10;
/** Milliseconds after which no further customers are looked at. */
const PATIENCE_MS = 1_500;

/**
 * Decides of the last events of the type that triggers whether each would start a run, if it had just come and there
 * were no other runs. Throws `forbidden` if the caller may not read what the definition reads. To be called on a thread that serves no requests.
 */
export async function previewEntries(db: Sql, caller: Caller, definition: Definition): Promise<PreviewedEntry[]> {
  expectScopesToDefine(caller, definition);
  const { trigger } = definition;
  if (trigger.type !== 'event') return [];
  const until = performance.now() + PATIENCE_MS;
  const page = { limit: MAX_EVENTS, cursor: undefined };
  const { items } = await readEvents(db, caller, { eventType: trigger.event_type }, page);
  const entries: PreviewedEntry[] = [];
  for (let i = 0; i < items.length && performance.now() < until; i += MAX_AT_ONCE) {
    const some = items.slice(i, i + MAX_AT_ONCE);
    const asking = some.map((item) => ({
      event: toCustomerEvent(item),
      profileId: item.profileId,
      facts: {} as Facts,
    }));
    entries.push(...(await decideAll(db, caller.storeId, definition, asking)));
    await nextTurn();
  }
  return entries.sort((one, other) => (one.event.id < other.event.id ? 1 : -1));
}

interface Asking {
  event: CustomerEvent;
  profileId: string;
  facts: Facts;
}

async function decideAll(
  db: Sql,
  storeId: string,
  definition: Definition,
  all: readonly Asking[],
): Promise<PreviewedEntry[]> {
  const version = { number: 1, definition, inFlight: 'keep' } as const;
  const automation: Automation = { id: 'previewed', status: 'live', version: 1, versions: new Map([[1, version]]) };
  const decided: PreviewedEntry[] = [];
  let open = all;
  while (open.length > 0) {
    const asking = open.flatMap((one) => {
      const { event, profileId, facts } = one;
      const occurrence = { type: 'event', event, runId: event.id } as const;
      const state = { profileId, enrolments: [], runs: [] };
      const decision = explainEntry(state, occurrence, { now: event.occurredAt, automation, facts });
      if (decision && 'needs' in decision) return [{ entrant: one, needs: decision.needs }];
      if (decision) decided.push({ event, profileId, decision });
      return [];
    });
    await lookUpFacts(db, storeId, asking);
    open = asking.map(({ entrant }) => entrant);
  }
  return decided;
}
