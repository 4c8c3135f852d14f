import type { Audience } from '../../../conditions/audience.ts';
import type { Channel } from '../../../conditions/condition.ts';
import type { CustomerEvent, JsonObject } from '../../../conditions/subject.ts';
import type { Occasion } from '../time/dates.ts';

/** A change of what automations watch of a profile: of attributes, identifiers, lists or consent. */
export interface ProfileChange {
  id: string;
  /** Milliseconds. */
  at: number;
  depth: number;
  /** The id of what began the automations that led to it. */
  chain?: string | null;
  /** By the attribute's name; a missing value is absent. */
  changes: Readonly<Record<string, { from?: unknown; to?: unknown }>>;
  /** Which list or segment the customer has joined or left. */
  moved?: Audience & { isMember: boolean };
  /** The channel that the customer has opted in to, or out of. */
  chose?: { channel: Channel; isGiven: boolean };
  /** Whether it became known as history: no run starts with it. */
  isHistorical?: boolean;
  /** Whether a page or an app made it, with a public key: anybody may have. */
  fromClient?: boolean;
}

/** Somebody entered or left a segment. */
export interface SegmentMove {
  id: string;
  segmentId: string;
  kind: 'entered' | 'left';
  /** Milliseconds. */
  at: number;
  depth: number;
  chain?: string | null;
}

/**
 * What may start a run. `runId` is the id that it would have; `isCut` says that too many runs have followed already from
 * what the automations began with that led to it.
 */
export type Occurrence =
  | { type: 'event'; event: CustomerEvent; runId: string; isCut?: boolean }
  | { type: 'change'; change: ProfileChange; runId: string; isCut?: boolean }
  | { type: 'segment'; move: SegmentMove; runId: string; isCut?: boolean }
  /** The customer is one of those who were in the segment when a version was published. */
  | { type: 'member'; segmentId: string; version: number; at: number; runId: string }
  /** A customer's date is due. `startedRunId`: the run that this occasion has started before, at another time. */
  | { type: 'date'; occasion: Occasion; runId: string; startedRunId?: string | undefined }
  /** A day of the schedule has come for a member of its list or segment. */
  | { type: 'schedule'; occasion: Occasion; runId: string }
  /** By the API. Requests with the same `key` are the same. */
  | { type: 'enrol'; key: string; properties: JsonObject; at: number; runId: string };

/** What has become of a message for good, as far as the run that waits for it is concerned. */
export type MessageResult = 'sent' | 'skipped' | 'failed' | 'expired' | 'cancelled' | 'unknown';

/** What a run under way is told. All but `exit`, `retry` and `erasure` may come too late, and then change nothing. */
export type RunInput =
  | { type: 'due'; runId: string }
  /** A step's effect could not be written. `seq` is the run's before. */
  | { type: 'failure'; runId: string; seq: number; code: string }
  /** `seq` is that of the effect `send_webhook` or `call_webhook`; `answer` is parsed JSON. */
  | {
      type: 'delivery';
      runId: string;
      seq: number;
      result: 'delivered' | 'failed' | 'expired';
      status?: number | null;
      answer?: unknown;
    }
  /** `seq` is that of the effect `send_email` or `send_sms`. */
  | { type: 'message'; runId: string; seq: number; result: MessageResult; reason: string | null }
  /** Somebody ends it, or goes on from the step that failed. */
  | { type: 'exit'; runId: string; by?: string }
  | { type: 'retry'; runId: string }
  /** The customer is erased. */
  | { type: 'erasure'; runId: string }
  /** The customer is merged with another, who has an older run in its place. */
  | { type: 'merge'; runId: string };

export type Input = Occurrence | RunInput;
