import { newId } from '../../../ids/uuid-v7.ts';
import type { PositionedChange } from '../../feed/changes.ts';
import type { CatalogTrigger } from '../core/definition/definition.ts';
import type { Automation } from '../core/machine/automation.ts';
import { mayEnter } from '../core/machine/entry.ts';
import type { PublishedAutomation } from '../stored/automations.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';
import { isWanted, type StoredItemChange } from './audiences/item-change.ts';
import {
  ofConsent,
  ofList,
  ofProfile,
  ofSegment,
  STARTING,
  type StoredProfileChange,
  type StoredSegmentMove,
} from './change-details.ts';
import type { EntrantInput } from './entrant.ts';
import type { Interest } from './interest.ts';
import type { StatusChange } from './statuses.ts';

/** The kinds of changes that concern automations. */
export type RoutedKind =
  | 'event'
  | 'profile'
  | 'profile_change'
  | 'list_change'
  | 'consent_change'
  | 'segment_change'
  | 'catalog_change'
  | 'automation_status';

/** What an automation is to react to, and of which customer. */
export interface RoutedInput {
  automationId: string;
  profileId: string;
  input: EntrantInput;
  /** The place of the change among the others. */
  at: number;
}

/** What has been looked up about changes, by their ids. */
export interface Details {
  statuses: ReadonlyMap<string, StatusChange>;
  profileChanges: ReadonlyMap<string, StoredProfileChange>;
  segmentChanges: ReadonlyMap<string, StoredSegmentMove>;
  itemChanges: ReadonlyMap<string, StoredItemChange>;
}

/** The inputs of changes, and of how many: of one, or of more that are not too many together. */
export interface Routed {
  inputs: RoutedInput[];
  /** Changes of items of which customers are to be told, one after the other. */
  audiences: RoutedAudience[];
  handled: number;
}

/** An automation that is to go through the customers whom a change of an item concerns. */
export interface RoutedAudience {
  automationId: string;
  change: StoredItemChange;
  trigger: CatalogTrigger;
  /** The place of the change among the others. */
  at: number;
}

/** Of one transaction: inputs, and how often an automation is asked about a change. */
const MOST = { inputs: 2_000, asked: 50_000 };

/**
 * Hands changes in turn to the automations that they concern, each as it was at that moment, and stops before there is too
 * much to do about them together.
 */
export function routeChanges(
  changes: readonly PositionedChange<RoutedKind>[],
  details: Details,
  automations: readonly PublishedAutomation[],
  interest: Interest,
): Routed {
  const router = new Router(details, automations, interest);
  for (const [at, change] of changes.entries()) {
    const before = { inputs: router.inputs.length, audiences: router.audiences.length };
    router.route(change, at);
    const isTooMuch = router.inputs.length > MOST.inputs || router.asked > MOST.asked;
    if (at > 0 && isTooMuch) {
      const [inputs, audiences] = [router.inputs.slice(0, before.inputs), router.audiences.slice(0, before.audiences)];
      return { inputs, audiences, handled: at };
    }
  }
  return { inputs: router.inputs, audiences: router.audiences, handled: changes.length };
}

type Change<Kind extends RoutedKind> = Extract<PositionedChange<RoutedKind>, { kind: Kind }>;

class Router {
  readonly inputs: RoutedInput[] = [];
  readonly audiences: RoutedAudience[] = [];
  /** How often an automation was asked about an event or an item. */
  asked = 0;
  readonly #details: Details;
  readonly #interest: Interest;
  readonly #automations: ReadonlyMap<string, PublishedAutomation>;
  #at = 0;

  constructor(details: Details, automations: readonly PublishedAutomation[], interest: Interest) {
    this.#details = details;
    this.#interest = interest;
    this.#automations = new Map(automations.map((automation) => [automation.id, automation]));
  }

  route(change: PositionedChange<RoutedKind>, at: number): void {
    this.#at = at;
    switch (change.kind) {
      case 'automation_status':
        this.#changeStatus(change.id);
        break;
      case 'event':
        this.#routeEvent(change);
        break;
      case 'profile':
        this.#routeProfile(change);
        break;
      case 'list_change':
        this.#routeListChange(change);
        break;
      case 'consent_change':
        this.#routeConsentChange(change);
        break;
      case 'segment_change':
        this.#routeSegmentChange(change);
        break;
      case 'catalog_change':
        this.#routeItemChange(change.id);
        break;
      case 'profile_change':
        this.#routeProfileChange(change.id);
        break;
    }
  }

  #add(automationId: string, profileId: string, input: EntrantInput): void {
    this.inputs.push({ automationId, profileId, input, at: this.#at });
  }

  #changeStatus(id: string): void {
    const status = this.#details.statuses.get(id);
    const automation = status && this.#automations.get(status.automationId);
    // A new object: the inputs before it keep the one before.
    if (automation) automation.read = { ...automation.read, status: status.status, version: status.version };
  }

  #routeEvent(change: Change<'event'>): void {
    const event = toCustomerEvent(change.event);
    const interested = this.#interest.inEvent(event.eventType);
    this.asked += interested.length;
    for (const { automation, wakes } of interested) {
      const input = { type: 'event', event, runId: newId() } as const;
      const neverStarts = !mayEnter(automation.read, input);
      if (neverStarts && !wakes) continue;
      const { id, read } = automation;
      this.#add(id, change.event.profileId, { input, automation: read, neverStarts, onlyStarts: !wakes });
    }
  }

  #routeProfile({ profileId, addedAt }: Change<'profile'>): void {
    for (const { id, read: automation } of this.#interest.inProfiles) {
      const input = { type: 'change', change: ofProfile(addedAt), runId: newId() } as const;
      this.#add(id, profileId, { input, automation, neverStarts: true });
    }
  }

  #routeListChange(change: Change<'list_change'>): void {
    for (const { id, read: automation } of this.#interest.inList(change.listId)) {
      const input = { type: 'change', change: ofList(change), runId: newId() } as const;
      this.#add(id, change.profileId, { input, automation, neverStarts: !mayEnter(automation, input) });
    }
  }

  #routeConsentChange(change: Change<'consent_change'>): void {
    for (const { id, read: automation } of this.#interest.inChannel(change.channel)) {
      const input = { type: 'change', change: ofConsent(change), runId: newId() } as const;
      if (mayEnter(automation, input)) this.#add(id, change.profileId, { input, automation, onlyStarts: true });
    }
  }

  #routeSegmentChange({ id, addedAt }: Change<'segment_change'>): void {
    const found = this.#details.segmentChanges.get(id);
    if (!found) return;
    const { move, profileId, cause } = found;
    for (const { id: automationId, read: automation } of this.#interest.awaitingSegment(move.segmentId)) {
      const input = { type: 'change', change: ofSegment(move), runId: newId() } as const;
      this.#add(automationId, profileId, { input, automation, neverStarts: true });
    }
    if (!STARTING.has(cause)) return;
    for (const { id: automationId, read: automation } of this.#interest.inSegment(move.segmentId)) {
      if (isOfMember(automation, addedAt)) continue;
      const input = { type: 'segment', move, runId: newId() } as const;
      this.#add(automationId, profileId, { input, automation, onlyStarts: true });
    }
  }

  /** While an automation is paused, what changes of items is not made up for. */
  #routeItemChange(id: string): void {
    const change = this.#details.itemChanges.get(id);
    if (!change) return;
    this.asked += this.#interest.inCatalog.length;
    for (const { id: automationId, read } of this.#interest.inCatalog) {
      const trigger = read.version === null ? undefined : read.versions.get(read.version)?.definition.trigger;
      if (read.status !== 'live' || trigger?.type !== 'catalog' || !isWanted(trigger, change)) continue;
      this.audiences.push({ automationId, change, trigger, at: this.#at });
    }
  }

  #routeProfileChange(id: string): void {
    const found = this.#details.profileChanges.get(id);
    if (!found) return;
    const { change, profileId } = found;
    for (const { id: automationId, read: automation } of this.#interest.inChange(Object.keys(change.changes))) {
      this.#add(automationId, profileId, { input: { type: 'change', change, runId: newId() }, automation });
    }
  }
}

/** Whether a change came before the members were there with whom the version starts: the feed may have it after that. */
function isOfMember({ version, versions }: Automation, addedAt: number): boolean {
  const before = version === null ? undefined : versions.get(version)?.membersBefore;
  return before !== undefined && addedAt < before;
}
