import type { JsonObject } from '../../../conditions/subject.ts';
import type { Trigger } from '../definition/definition.ts';
import type { EndReason } from './timeline.ts';

/** One passage of a customer through an automation. Times are milliseconds. All of it is plain JSON. */
export interface Run {
  /** UUID of version 7. */
  id: string;
  profileId: string;
  /** The version whose definition it follows. */
  version: number;
  /** The value that correlates events with it; null if the automation has no key. */
  key: string | null;
  /** The enrolment that names it as active; null where any number of runs may be. */
  enrolmentKey: string | null;
  trigger: Origin;
  captured: Captured;
  /** The last that it was given, for later steps and messages; null if none was. */
  coupon: RunCoupon | null;
  /** What came of its steps, as far as later ones read it; null if nothing did. */
  results: StepResults | null;
  /** How many automations led to it; what it does is one deeper. */
  depth: number;
  status: 'active' | 'ended' | 'failed';
  /** Where it is: at a step that it takes when due, or that it waits in. */
  stepId: string;
  /** Grows with every entry of its timeline; whoever changes a run requires the one that they have read. */
  seq: number;
  /** When it is to be looked at next; null while only what becomes of what it sent can move it on, and after its end. */
  dueAt: number | null;
  waiting: Waiting | null;
  /** Ids of events that it has used: the one that triggered, and those that its waits waited for. */
  consumed: readonly string[];
  /** How often its step has failed in a row. */
  attempts: number;
  /**
   * When it was looked at what had been stored before that may end it: of what came later it is told. Null before it goes
   * on for the first time, and after it has moved to another version.
   */
  seenAt: number | null;
  startedAt: number;
  endedAt: number | null;
  /** Why it ended, or the code of its failure. */
  reason: EndReason | string | null;
}

export interface Origin {
  /**
   * The same for the same occasion: the id of the event or change, `date:<profile>:<day>`, `member:<profile>:<version>`,
   * `schedule:<profile>:<day>`, `catalog:<change>:<profile>`, `manual:<key>`.
   */
  id: string;
  type: Trigger['type'];
  /** When it happened. */
  at: number;
  receivedAt: number;
  eventId: string | null;
  /** Where automations led to it, the id of what these began with. */
  chain?: string;
}

/** What a run needs of the event later: events may be deleted before. */
export interface Captured {
  event: { id: string; eventType: string; occurredAt: number } | null;
  properties: JsonObject;
  /** Paths of values that were too large; they are null in `properties`. */
  omitted: readonly (readonly string[])[];
}

/** By the ids of steps. */
export type StepResults = Readonly<Record<string, StepResult>>;

export interface StepResult {
  /** Of the answer to a call; null if there was none. */
  status?: number | null;
  /** What the definition reads of it. */
  answer?: unknown;
  /** The event that ended a wait, with those of its properties that the definition reads. */
  event?: NonNullable<Captured['event']> & { properties: JsonObject };
}

/** A code of a coupon pool, as messages show it. */
export interface RunCoupon {
  code: string;
  poolId: string;
  /** Milliseconds; null if its pool does not expire. */
  expiresAt: number | null;
}

/**
 * What it waits for within its step, and since when; before it takes a step to which an event has led (`step`), when that
 * was.
 */
export interface Waiting {
  for: 'delay' | 'wait' | 'quiet_hours' | 'delivery' | 'message' | 'pace' | 'coupon' | 'step';
  since: number;
  /** The number of the effect that sent it, for a delivery or a message. */
  seq?: number;
  /** Until when, of a wait for items, which is looked at before as well. */
  until?: number;
  /** Whatever of items may end it: see `itemChangeKey`. */
  items?: readonly string[];
}

/** What is known of one customer's entries under one key; outlives the runs. */
export interface Enrolment {
  /** `''` for all of the customer's runs. */
  key: string;
  lastStartedAt: number;
  activeRunId: string | null;
  starts: number;
}

/** What the core knows of one customer in one automation. */
export interface State {
  profileId: string;
  /** Those that the input may concern: see `enrolmentKeyOf`. */
  enrolments: readonly Enrolment[];
  /** The active runs, and a failed one that is to be retried. */
  runs: readonly Run[];
  /** How many more active runs there are, which the input does not concern. */
  others?: number;
}
