import type { Definition, InFlight } from '../definition/definition.ts';

export type AutomationStatus = 'draft' | 'live' | 'paused' | 'draining' | 'archived';

/** An immutable version. */
export interface Version {
  number: number;
  definition: Definition;
  /** What becomes of the runs on earlier versions. */
  inFlight: InFlight;
  /**
   * Of one with which members of a segment start: changes of the segment before this time are theirs already. By the
   * clock of the database, in milliseconds.
   */
  membersBefore?: number | undefined;
}

/** An automation at one moment: for an event, when it was committed; for a due run, now. */
export interface Automation {
  id: string;
  status: AutomationStatus;
  /** The number of the latest version; null before the first. */
  version: number | null;
  /** All that runs are on, those after them that end or move runs, and the latest. */
  versions: ReadonlyMap<number, Version>;
  /** Since when its runs have been told of all that may concern them, in milliseconds; by default ever. */
  toldSince?: number | undefined;
  /** When it was last resumed, and what becomes of the runs that were due before then. */
  resumed?: { at: number; overdue: 'run' | 'exit'; spreadMs: number } | null;
}
