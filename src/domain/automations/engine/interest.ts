import { awaitedAudiences } from '../core/definition/audiences.ts';
import {
  eventTypesOf,
  segmentOf,
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
  /** Whether anything else that is read may start some. */
  readonly startsOnChanges: boolean;
  readonly #bySegment = new Map<string, PublishedAutomation[]>();
  /** Those with runs that may wait for an identifier or for consent. */
  readonly inProfiles: readonly PublishedAutomation[];

  constructor(automations: readonly PublishedAutomation[]) {
    this.inProfiles = automations.filter(({ read }) =>
      [...read.versions.values()].some((one) => waitsForProfile(one.definition)),
    );
    this.versions = automations.flatMap(({ read }) => [...read.versions.values()]);
    this.triggerTypes = [...union(this.versions, triggerTypesOf)];
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
      for (const id of union(versions, awaitedLists)) push(this.#byList, id, automation);
    }
    const startsOnProfiles = this.versions.some(({ definition }) => definition.trigger.type === 'profile_change');
    this.startsOnChanges = startsOnProfiles || this.startsOnSegments;
  }

  get eventTypes(): string[] {
    return [...this.#byEventType.keys()];
  }

  get attributes(): string[] {
    return [...this.#byAttribute.keys()];
  }

  /** Whether runs may wait until their customers have joined or left a list. */
  get isInLists(): boolean {
    return this.#byList.size > 0;
  }

  inList(id: string): readonly PublishedAutomation[] {
    return this.#byList.get(id) ?? [];
  }

  inEvent(eventType: string): readonly Interested[] {
    return this.#byEventType.get(eventType) ?? [];
  }

  get startsOnSegments(): boolean {
    return this.#bySegment.size > 0;
  }

  inSegment(id: string): readonly PublishedAutomation[] {
    return this.#bySegment.get(id) ?? [];
  }

  inChange(names: readonly string[]): PublishedAutomation[] {
    return [...new Set(names.flatMap((name) => this.#byAttribute.get(name) ?? []))];
  }
}

function awaitedLists(definition: Version['definition']): Set<string> {
  return new Set(awaitedAudiences(definition).flatMap(({ kind, id }) => (kind === 'list' ? [id] : [])));
}

function union(versions: readonly Version[], uses: (definition: Version['definition']) => Set<string>): Set<string> {
  return new Set(versions.flatMap(({ definition }) => [...uses(definition)]));
}

function push<One>(map: Map<string, One[]>, key: string, one: One): void {
  const known = map.get(key);
  if (known) known.push(one);
  else map.set(key, [one]);
}
