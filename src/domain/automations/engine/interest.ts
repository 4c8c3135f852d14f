import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import { type RequiredValue, requiredValue } from '../../conditions/required-value.ts';
import type { WantedEvents } from '../../feed/changes.ts';
import { awaitedAudiences } from '../core/definition/audiences.ts';
import type { Trigger } from '../core/definition/definition.ts';
import {
  eventTypesOf,
  goalTypesOf,
  segmentOf,
  stepsAwaitingItems,
  triggerChannelOf,
  triggerListOf,
  triggerTypesOf,
  waitsForProfile,
  wakingTypesOf,
  watchedAttributes,
} from '../core/definition/uses.ts';
import type { Version } from '../core/machine/automation.ts';
import type { PublishedAutomation } from '../stored/automations.ts';

/** An automation that an event concerns. */
export interface Interested {
  automation: PublishedAutomation;
  /** Whether runs under way may wait for such an event, or exit on it. */
  wakes: boolean;
}

/** Which automations of a store an event or a change concerns, by any of their versions that still matter. */
export class Interest {
  readonly #byEventType = new Map<string, Interested[]>();
  readonly #byAttribute = new Map<string, PublishedAutomation[]>();
  readonly #byList = new Map<string, PublishedAutomation[]>();
  /** All versions that still matter. */
  readonly versions: readonly Version[];
  /** The types of event that may start runs, and those that may wake or end some. */
  readonly triggerTypes: readonly string[];
  readonly wakingTypes: readonly string[];
  /** Those that may be the goal of runs, which may have ended. */
  readonly goalTypes: readonly string[];
  /** Whether anything else that is read may start some. */
  readonly startsOnChanges: boolean;
  readonly #bySegment = new Map<string, PublishedAutomation[]>();
  readonly #awaitingSegment = new Map<string, PublishedAutomation[]>();
  readonly #byChannel = new Map<string, PublishedAutomation[]>();
  /** Those with runs that may wait for an identifier or for consent. */
  readonly inProfiles: readonly PublishedAutomation[];

  constructor(automations: readonly PublishedAutomation[]) {
    this.inProfiles = automations.filter(({ read }) =>
      [...read.versions.values()].some((one) => waitsForProfile(one.definition)),
    );
    this.awaitingItems = automations.flatMap(({ id, read }) => {
      const steps = [...read.versions.values()].flatMap(({ definition }) => stepsAwaitingItems(definition));
      return steps.length === 0 ? [] : [{ automationId: id, stepIds: [...new Set(steps)] }];
    });
    this.inCatalog = automations.filter(({ read }) =>
      [...read.versions.values()].some(({ definition: { trigger } }) => trigger.type === 'catalog'),
    );
    this.versions = automations.flatMap(({ read }) => [...read.versions.values()]);
    this.triggerTypes = [...union(this.versions, triggerTypesOf)];
    this.goalTypes = [...union(this.versions, goalTypesOf)];
    this.wakingTypes = [...union(this.versions, wakingTypesOf)];
    for (const automation of automations) {
      const versions = [...automation.read.versions.values()];
      const waking = union(versions, wakingTypesOf);
      for (const type of union(versions, eventTypesOf)) {
        push(this.#byEventType, type, { automation, wakes: waking.has(type) });
      }
      for (const name of union(versions, watchedAttributes)) push(this.#byAttribute, name, automation);
      const segments = new Set(versions.flatMap(({ definition }) => segmentOf(definition) ?? []));
      for (const id of segments) push(this.#bySegment, id, automation);
      for (const id of union(versions, awaitedSegments)) push(this.#awaitingSegment, id, automation);
      for (const id of union(versions, listsOf)) push(this.#byList, id, automation);
      const channels = new Set(versions.flatMap(({ definition }) => triggerChannelOf(definition) ?? []));
      for (const channel of channels) push(this.#byChannel, channel, automation);
    }
    const starts = this.versions.some(({ definition: { trigger } }) => OF_CHANGES.has(trigger.type));
    this.startsOnChanges = starts || this.startsOnSegments || this.startsOnConsents || this.inCatalog.length > 0;
  }

  get eventTypes(): string[] {
    return [...this.#byEventType.keys()];
  }

  get attributes(): string[] {
    return [...this.#byAttribute.keys()];
  }

  /** Whether runs may start with customers who have joined or left a list, or wait until theirs have. */
  get isInLists(): boolean {
    return this.#byList.size > 0;
  }

  inList(id: string): readonly PublishedAutomation[] {
    return this.#byList.get(id) ?? [];
  }

  inEvent(eventType: string): readonly Interested[] {
    return this.#byEventType.get(eventType) ?? [];
  }

  get startsOnConsents(): boolean {
    return this.#byChannel.size > 0;
  }

  inChannel(channel: string): readonly PublishedAutomation[] {
    return this.#byChannel.get(channel) ?? [];
  }

  /** The steps in which runs may wait for items. */
  readonly awaitingItems: readonly { automationId: string; stepIds: readonly string[] }[];
  /** Those that start with what changes of items. */
  readonly inCatalog: readonly PublishedAutomation[];

  get startsOnSegments(): boolean {
    return this.#bySegment.size > 0;
  }

  /** Whether runs may start with customers who have entered or left a segment, or wait until theirs have. */
  get isInSegments(): boolean {
    return this.startsOnSegments || this.#awaitingSegment.size > 0;
  }

  awaitingSegment(id: string): readonly PublishedAutomation[] {
    return this.#awaitingSegment.get(id) ?? [];
  }

  inSegment(id: string): readonly PublishedAutomation[] {
    return this.#bySegment.get(id) ?? [];
  }

  inChange(names: readonly string[]): PublishedAutomation[] {
    return [...new Set(names.flatMap((name) => this.#byAttribute.get(name) ?? []))];
  }
}

/** Those that start runs, and those that runs may wait for. */
function listsOf(definition: Version['definition']): Set<string> {
  const awaited = awaitedAudiences(definition).flatMap(({ kind, id }) => (kind === 'list' ? [id] : []));
  return new Set([...awaited, ...(triggerListOf(definition) === null ? [] : [triggerListOf(definition) as string])]);
}

/** Those that runs may wait for. */
function awaitedSegments(definition: Version['definition']): Set<string> {
  return new Set(awaitedAudiences(definition).flatMap(({ kind, id }) => (kind === 'segment' ? [id] : [])));
}

const OF_CHANGES: ReadonlySet<Trigger['type']> = new Set<Trigger['type']>([
  'profile_change',
  'list_joined',
  'list_left',
]);

function union(versions: readonly Version[], uses: (definition: Version['definition']) => Set<string>): Set<string> {
  return new Set(versions.flatMap(({ definition }) => [...uses(definition)]));
}

function push<One>(map: Map<string, One[]>, key: string, one: One): void {
  const known = map.get(key);
  if (known) known.push(one);
  else map.set(key, [one]);
}

/** Properties that are looked at in the database: each more is another text of the statement. */
const MAX_PROPERTIES = 4;

/**
 * The events of which something may come. Those that start runs are read if the property that their filters name has one
 * of the values; those that wake or end runs, if their customers have runs, or one may start just before; goals always, as runs that have
 * ended count. Whatever is
 * passed over would be skipped for its filter, of which nothing is noted.
 */
export function wantedEvents(storeId: string, interest: Interest): WantedEvents {
  const { eventTypes: types, wakingTypes, goalTypes, startsOnChanges } = interest;
  const { always, required } = triggersOf(interest.versions);
  const unconditional = new Set([...always, ...goalTypes, ...(startsOnChanges ? wakingTypes : [])]);
  const rest = new Set(types).difference(unconditional);
  if (rest.size === 0) return { types };
  const conditions = [sql`e.event_type = any(${texts([...unconditional])}::text[])`, ...required.map(hasValue)];
  const waking = [...rest.intersection(new Set(wakingTypes))];
  if (waking.length > 0) conditions.push(hasRuns(storeId, waking, interest.triggerTypes));
  return { types, condition: sql.join(conditions, sql` or `) };
}

/** All that filters of one type of event require of one property. */
interface Requirement extends RequiredValue {
  eventType: string;
}

/** The types of event that may start runs whatever is in them, and what others must have. */
function triggersOf(versions: readonly Version[]): { always: Set<string>; required: Requirement[] } {
  const always = new Set<string>();
  const required = new Map<string, Requirement>();
  for (const { definition } of versions) {
    const { trigger } = definition;
    if (trigger.type !== 'event') continue;
    const { event_type: eventType } = trigger;
    const value = trigger.filter && requiredValue(trigger.filter);
    const key = JSON.stringify([eventType, value?.property]);
    const known = required.get(key);
    if (!value || (!known && required.size === MAX_PROPERTIES)) always.add(eventType);
    else required.set(key, known ? either(known, value) : { eventType, ...value });
  }
  return { always, required: [...required.values()].filter(({ eventType }) => !always.has(eventType)) };
}

function either(one: Requirement, other: RequiredValue): Requirement {
  return { ...one, texts: [...one.texts, ...other.texts], orNumber: one.orNumber || other.orNumber };
}

/** The value is looked up once: that takes longer than all else. */
function hasValue({ eventType, property, texts: values, orNumber }: Requirement): RawBuilder<unknown> {
  return sql`
    (e.event_type = ${eventType} and (
      select value = any(${texts([...new Set(values)])}::text[]) or (${orNumber}::boolean and value ~ '[.eE]')
      from (select e.properties ->> ${property}::text as value offset 0) as property
    ))`;
}

function hasRuns(storeId: string, types: readonly string[], triggerTypes: readonly string[]): RawBuilder<unknown> {
  return sql`
    (e.event_type = any(${texts(types)}::text[]) and (
      e.profile_id in (select profile_id from wanted where event_type = any(${texts(triggerTypes)}::text[]))
      or (
        select true from automation_run r
        where r.store_id = ${storeId} and r.status = 'active'
          and ${exactly('r.profile_id', 'e.profile_id')}
        order by r.profile_id, r.automation_id
        limit 1
      )
    ))`;
}
