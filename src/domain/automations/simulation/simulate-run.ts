import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../../db/sql.ts';
import type { Caller } from '../../caller.ts';
import { lookUp } from '../../conditions/lookup.ts';
import { audienceKey } from '../../conditions/standing.ts';
import type { ItemRef, Profile } from '../../conditions/subject.ts';
import { openAddressDigest } from '../../messages/core/address-digest.ts';
import { capsOf } from '../../messages/core/caps.ts';
import type { MessageChannel } from '../../messages/core/message.ts';
import { readMessageSettings } from '../../senders/message-settings.ts';
import { invalidAll } from '../../service-error.ts';
import { readStoreSettings } from '../../store-settings.ts';
import { storeData } from '../../templates/message-data.ts';
import type { TemplateTools } from '../../templates/template-tools.ts';
import { expectScopesToDefine } from '../access/scopes.ts';
import type { Definition } from '../core/definition/definition.ts';
import { referencePath } from '../core/definition/references.ts';
import { itemCases } from '../core/definition/steps.ts';
import { historyTypesOf, scheduledAudience } from '../core/definition/uses.ts';
import { itemKey } from '../core/machine/facts.ts';
import type { Occurrence } from '../core/machine/input.ts';
import { originOf } from '../core/machine/origin.ts';
import { itemNamedBy } from '../core/machine/steps/await-item.ts';
import { type Assumption, checkAssumptions } from '../core/simulation/assumptions.ts';
import { type SimulatedEffect, type Simulation, simulating } from '../core/simulation/simulate.ts';
import { decidingMessages } from './decide-messages.ts';
import { findOccasion, type Start } from './occasion.ts';
import { readHistory } from './read-history.ts';
import { readMessages, type SimulatedMessage } from './read-messages.ts';
import { readStanding } from './read-standing.ts';
import { renderMessages, type SimulatedContent } from './render-messages.ts';

export interface SimulationRequest {
  automationId: string;
  definition: Definition;
  start: Start;
  assume: readonly Assumption[];
  /** Whether what the customer really did after the event happens, too. */
  followHistory: boolean;
}

export interface SimulatedRun {
  simulation: Simulation;
  /** The address and the number of the customer; null if there is none. */
  recipients: Readonly<Record<MessageChannel, string | null>>;
  /** By the ids of the steps that send them. */
  messages: ReadonlyMap<string, SimulatedMessage>;
  /** What the first of them say, by the effects. */
  contents: ReadonlyMap<SimulatedEffect, SimulatedContent>;
  /** When attributes, lists, segments and consent were as they are in it. */
  profileAsOf: Date;
  /** What people should know beside that. */
  notes: string[];
}

/** Milliseconds for which a simulation is played before it is stopped. */
const PATIENCE_MS = 1_500;
/** Milliseconds after which whatever else waits has its turn. */
const TURN_MS = 20;

/**
 * Plays through what something would start; reads, and changes nothing. Throws `validation_error` if it can't be,
 * and `forbidden` if the caller may not read what the definition reads. To be
 * called on a thread that serves no requests.
 */
export async function simulateRun(
  db: Sql,
  shared: Sql,
  caller: Caller,
  { automationId, definition, start, assume, followHistory }: SimulationRequest,
  tools: Pick<TemplateTools, 'render'>,
): Promise<SimulatedRun> {
  expectScopesToDefine(caller, definition);
  const { storeId } = caller;
  const storeSettings = await readStoreSettings(shared, storeId);
  const occasion = await findOccasion(db, caller, definition, start, storeSettings.timeZone);
  const violations = checkAssumptions(definition, assume);
  if (violations.length > 0) {
    throw invalidAll(violations.map(({ path, problem }) => ({ path: ['assume', ...path], problem })));
  }
  const profileAsOf = new Date();
  const { occurrence, profile } = occasion;
  const notes: string[] = [];
  const history = await readHistory(db, storeId, profile.id, [...historyTypesOf(definition)]);
  if (history.isCut) notes.push(`Of what the customer did, only the latest ${history.events.length} events count.`);
  const isFollowed = followHistory && 'eventId' in start;
  if (followHistory && !isFollowed) notes.push('There is no history to follow without event_id.');
  const { receivedAt } = originOf(occurrence, profile.id);
  const events = history.events.filter((event) => isFollowed || event.receivedAt <= receivedAt);
  const standing = await readStanding(db, storeId, profile.id, definition, itemsOf(definition, occurrence, profile));
  const audience = scheduledAudience(definition);
  if (audience && (standing.memberships.get(audienceKey(audience)) ?? null) === null) {
    notes.push(`The customer is not in the ${audience.kind} of the schedule now, and would not start.`);
  }
  const messages = await readMessages(db, storeId, definition);
  const settings = await readMessageSettings(db, storeId);
  const { recipients, known, reasonToSkip, countWebhook } = await decidingMessages(db, storeId, {
    ...{ profileId: profile.id, messages, assume, startsAt: receivedAt },
    caps: capsOf(settings),
    digestOf: await openAddressDigest(shared),
  });
  const options = { automationId, profile, standing, history: events, assume, reasonToSkip, countWebhook };
  const simulation = await play(definition, occurrence, options, notes);
  const simulated = { simulation, recipients, messages, contents: new Map(), profileAsOf, notes };
  if (messages.size === 0 || !known || !caller.scopes.has('messages:read')) return simulated;
  const store = storeData(storeSettings, settings);
  const rendering = { effects: simulation.effects, messages, profile: known, store };
  return { ...simulated, contents: await renderMessages(db, storeId, rendering, tools, notes) };
}

/** That which the run is about, and those that it may wait for. */
function itemsOf({ steps }: Definition, occurrence: Occurrence, profile: Profile): ItemRef[] {
  const properties = propertiesOf(occurrence);
  const data = { event: { properties }, profile: { attributes: profile.attributes } };
  const awaited = steps.flatMap((step) => (step.type === 'wait' ? itemCases(step) : []));
  const named = awaited.flatMap(
    ({ asked: { item } }) => (item && itemNamedBy(lookUp(data, referencePath(item)))) ?? [],
  );
  const all = [itemOf(occurrence) ?? [], named].flat();
  return [...new Map(all.map((ref) => [itemKey(ref), ref])).values()];
}

function propertiesOf(occurrence: Occurrence): Record<string, unknown> {
  if (occurrence.type === 'event') return occurrence.event.properties;
  if (occurrence.type === 'catalog') return occurrence.change.properties;
  return occurrence.type === 'enrol' ? occurrence.properties : {};
}

function itemOf(occurrence: Occurrence): ItemRef | undefined {
  if (occurrence.type !== 'catalog') return undefined;
  const { itemId, properties } = occurrence.change;
  const { variant_id: variantId } = properties;
  return { itemId, variantId: typeof variantId === 'string' ? variantId : null };
}

async function play(...[definition, occurrence, options, notes]: [...Parameters<typeof simulating>, string[]]) {
  const steps = simulating(definition, occurrence, options);
  const until = performance.now() + PATIENCE_MS;
  let turn = performance.now();
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
    const now = performance.now();
    if (now > until) {
      notes.push('The simulation took too long, and was stopped.');
      return { ...value, truncated: true };
    }
    if (now - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
}
