import type { ConsentRecord } from '../../db/entities/consent.ts';
import type { KnownIdentifier } from '../erasures/erasure.ts';
import type { Profile } from '../profile.ts';
import type { Counts, Gone } from '../sweeps/step.ts';

/** One customer, `profileId`, whose rows move to another. */
export interface Merging extends Gone {
  winnerId: string;
}

/** What a merge changes at once, or would change. */
export interface MergeChanges {
  /** What the customer is found by from now on, of what the other was found by. */
  identifiers: readonly KnownIdentifier[];
  /** Names of attributes that are taken over, as the customer had none of the name. */
  filled: readonly string[];
  /** Those that are lost, as the customer has another value. */
  lost: readonly string[];
  /** Choices that hold, as they were made later than those of the customer, or opt out at the same time. */
  consent: readonly Pick<ConsentRecord, 'channel' | 'status'>[];
  /** Channels by which nothing is sent to the customer any more, as nothing was to the other; not told by an earlier version. */
  suppressed?: readonly string[];
  /** Ids of lists that the customer joins, or leaves as the other has opted out later. */
  joined: readonly string[];
  left: readonly string[];
  /** Runs of automations that go on for the customer, and that end as one of the two has an older one in its place. */
  movedRuns: number;
  endedRuns: number;
  /** Messages of campaigns that are skipped, as each of the two has one; not told by an earlier version. */
  skippedMessages?: number;
}

/** The merge of one customer into another. */
export interface Merge {
  id: string;
  status: 'moving' | 'complete';
  profileId: string;
  fromId: string;
  changes: MergeChanges;
  counts: Counts;
  passes: number;
  /** The id of the API key. */
  askedBy: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** Both customers as they were. */
export interface MergedProfiles {
  profile: Profile;
  from: Profile;
}
