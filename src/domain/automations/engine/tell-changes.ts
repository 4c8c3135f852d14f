import { newId } from '../../../ids/uuid-v7.ts';
import type { PositionedChange } from '../../feed/changes.ts';
import type { Automation } from '../core/machine/automation.ts';
import { mayEnter } from '../core/machine/entry.ts';
import type { PublishedAutomation } from '../stored/automations.ts';
import { toCustomerEvent } from '../stored/customer-event.ts';
import type { Interest } from './interest.ts';
import type { Told } from './lane.ts';
import { ofList, ofProfile, type StoredProfileChange } from './profile-changes.ts';
import type { StatusChange } from './read-statuses.ts';
import type { StoredSegmentMove } from './segment-changes.ts';

/** The kinds of changes that concern automations. */
export type ToldKind = 'event' | 'profile' | 'profile_change' | 'list_change' | 'segment_change' | 'automation_status';

/** What an automation is told about one customer. */
export interface Telling {
  automationId: string;
  profileId: string;
  told: Told;
  /** The place of the change among those that are told. */
  at: number;
}

/** What has been looked up about changes, by their ids. */
export interface Details {
  statuses: ReadonlyMap<string, StatusChange>;
  profileChanges: ReadonlyMap<string, StoredProfileChange>;
  segmentChanges: ReadonlyMap<string, StoredSegmentMove>;
}

/** Of one transaction: what automations are told together, and how often one of them is asked about a change. */
const MOST = { told: 2_000, asked: 50_000 };

/**
 * Tells automations of changes in turn, each as it was at that moment, and stops before there is too much to do about
 * them together: `handled` is how many of the changes these are, at least one.
 */
export function tellChanges(
  changes: readonly PositionedChange<ToldKind>[],
  details: Details,
  automations: readonly PublishedAutomation[],
  interest: Interest,
): { tellings: Telling[]; handled: number } {
  const teller = new Teller(details, automations, interest);
  for (const [at, change] of changes.entries()) {
    const before = teller.tellings.length;
    teller.tell(change, at);
    const isTooMuch = teller.tellings.length > MOST.told || teller.asked > MOST.asked;
    if (at > 0 && isTooMuch) return { tellings: teller.tellings.slice(0, before), handled: at };
  }
  return { tellings: teller.tellings, handled: changes.length };
}

type Change<Kind extends ToldKind> = Extract<PositionedChange<ToldKind>, { kind: Kind }>;

class Teller {
  readonly tellings: Telling[] = [];
  /** How often an automation was asked about an event. */
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

  tell(change: PositionedChange<ToldKind>, at: number): void {
    this.#at = at;
    switch (change.kind) {
      case 'automation_status':
        this.#changeStatus(change.id);
        break;
      case 'event':
        this.#tellEvent(change);
        break;
      case 'profile':
        this.#tellProfile(change);
        break;
      case 'list_change':
        this.#tellListChange(change);
        break;
      case 'segment_change':
        this.#tellSegmentChange(change);
        break;
      case 'profile_change':
        this.#tellProfileChange(change.id);
        break;
    }
  }

  #add(automationId: string, profileId: string, told: Told): void {
    this.tellings.push({ automationId, profileId, told, at: this.#at });
  }

  #changeStatus(id: string): void {
    const status = this.#details.statuses.get(id);
    const automation = status && this.#automations.get(status.automationId);
    // A new object: what was told before keeps the one before.
    if (automation) automation.read = { ...automation.read, status: status.status, version: status.version };
  }

  #tellEvent(change: Change<'event'>): void {
    const event = toCustomerEvent(change.event);
    const interested = this.#interest.inEvent(event.eventType);
    this.asked += interested.length;
    for (const { automation, wakes } of interested) {
      const isForRuns = !mayEnter(automation.read, event);
      if (isForRuns && !wakes) continue;
      const input = { type: 'event', event, runId: newId() } as const;
      const told = { input, automation: automation.read, isForRuns, isForNoRuns: !wakes };
      this.#add(automation.id, change.event.profileId, told);
    }
  }

  #tellProfile({ profileId, addedAt }: Change<'profile'>): void {
    for (const { id, read: automation } of this.#interest.inProfiles) {
      const input = { type: 'change', change: ofProfile(addedAt), runId: newId() } as const;
      this.#add(id, profileId, { input, automation, isForRuns: true });
    }
  }

  #tellListChange(change: Change<'list_change'>): void {
    for (const { id, read: automation } of this.#interest.inList(change.listId)) {
      const input = { type: 'change', change: ofList(change), runId: newId() } as const;
      this.#add(id, change.profileId, { input, automation, isForRuns: true });
    }
  }

  #tellSegmentChange({ id, addedAt }: Change<'segment_change'>): void {
    const found = this.#details.segmentChanges.get(id);
    if (!found) return;
    const { move, profileId } = found;
    for (const { id: automationId, read: automation } of this.#interest.inSegment(move.segmentId)) {
      if (isOfMember(automation, addedAt)) continue;
      const input = { type: 'segment', move, runId: newId() } as const;
      this.#add(automationId, profileId, { input, automation, isForNoRuns: true });
    }
  }

  #tellProfileChange(id: string): void {
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
