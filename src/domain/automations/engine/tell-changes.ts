import { newId } from '../../../ids/uuid-v7.ts';
import type { PositionedChange } from '../../change-feed/changes.ts';
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
  { statuses, profileChanges, segmentChanges }: Details,
  automations: readonly PublishedAutomation[],
  interest: Interest,
): { tellings: Telling[]; handled: number } {
  const read = new Map(automations.map((automation) => [automation.id, automation]));
  const tellings: Telling[] = [];
  let asked = 0;
  for (const [at, change] of changes.entries()) {
    const before = tellings.length;
    const tell = (automationId: string, profileId: string, told: Told) =>
      tellings.push({ automationId, profileId, told, at });
    if (change.kind === 'automation_status') {
      const status = statuses.get(change.id);
      const automation = status && read.get(status.automationId);
      // A new object: what was told before keeps the one before.
      if (automation) automation.read = { ...automation.read, status: status.status, version: status.version };
    } else if (change.kind === 'event') {
      const event = toCustomerEvent(change.event);
      const interested = interest.inEvent(event.eventType);
      asked += interested.length;
      for (const { automation, wakes } of interested) {
        const isForRuns = !mayEnter(automation.read, event);
        if (isForRuns && !wakes) continue;
        const input = { type: 'event', event, runId: newId() } as const;
        const told = { input, automation: automation.read, isForRuns, isForNoRuns: !wakes };
        tell(automation.id, change.event.profileId, told);
      }
    } else if (change.kind === 'profile') {
      for (const { id, read: automation } of interest.inProfiles) {
        const input = { type: 'change', change: ofProfile(change.addedAt), runId: newId() } as const;
        tell(id, change.profileId, { input, automation, isForRuns: true });
      }
    } else if (change.kind === 'list_change') {
      for (const { id, read: automation } of interest.inList(change.listId)) {
        const input = { type: 'change', change: ofList(change), runId: newId() } as const;
        tell(id, change.profileId, { input, automation, isForRuns: true });
      }
    } else if (change.kind === 'segment_change') {
      const found = segmentChanges.get(change.id);
      for (const { id, read: automation } of found ? interest.inSegment(found.move.segmentId) : []) {
        const { move, profileId } = found as StoredSegmentMove;
        if (isOfMember(automation, change.addedAt)) continue;
        tell(id, profileId, { input: { type: 'segment', move, runId: newId() }, automation, isForNoRuns: true });
      }
    } else {
      const found = profileChanges.get(change.id);
      for (const { id, read: automation } of found ? interest.inChange(Object.keys(found.change.changes)) : []) {
        const input = { type: 'change', change: (found as StoredProfileChange).change, runId: newId() } as const;
        tell(id, (found as StoredProfileChange).profileId, { input, automation });
      }
    }
    if (at === 0 || (tellings.length <= MOST.told && asked <= MOST.asked)) continue;
    return { tellings: tellings.slice(0, before), handled: at };
  }
  return { tellings, handled: changes.length };
}

/** Whether a change came before the members were there with whom the version starts: the feed may have it after that. */
function isOfMember({ version, versions }: Automation, addedAt: number): boolean {
  const before = version === null ? undefined : versions.get(version)?.membersBefore;
  return before !== undefined && addedAt < before;
}
