import type { MemberReference, RejectedMember } from '../../../generated/native/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Customer, Outcome } from '../../domain/lists/change-members.ts';
import { MAX_MEMBERS } from '../../domain/lists/members.ts';
import { toIdentifiers } from './event.ts';

/** Converts a validated reference to a customer. */
export function toCustomer({ profile_id, ...identifiers }: MemberReference, caller: Caller): Customer {
  return profile_id === undefined ? { identifiers: toIdentifiers(identifiers, caller) } : { profileId: profile_id };
}

type ChangedMember<Done extends string> = { index: number; status: Done | 'unchanged'; profile_id: string };

/** Renders what became of the customers of a request, in its order. */
export function renderOutcomes<Done extends string>(
  outcomes: readonly Outcome<Done>[],
): (ChangedMember<Done> | RejectedMember)[] {
  return outcomes.map((outcome, index) =>
    'refused' in outcome
      ? { index, status: 'rejected', error: { ...REFUSALS[outcome.refused], field: `members[${index}]` } }
      : { index, status: outcome.status, profile_id: outcome.profileId },
  );
}

const REFUSALS = {
  unknown: { code: 'not_found', message: 'There is no such profile' },
  full: { code: 'validation_error', message: `The list already has ${MAX_MEMBERS.toLocaleString('en')} members` },
} as const;

/** Counts the entries with a status. */
export function countOf(members: readonly { status: string }[], status: string): number {
  return members.filter((member) => member.status === status).length;
}
