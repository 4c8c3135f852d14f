import { MissingFacts } from '../../../conditions/facts-needed.ts';
import type { Version } from './automation.ts';
import type { Effect, Reaction } from './effects.ts';
import { type Context, Lookups } from './lookups.ts';
import type { Enrolment, Run, State } from './run.ts';
import type { Decision, EndReason, TimelineEntry } from './timeline.ts';

/** A reaction in the making: a copy of the state, and what has been decided so far. */
export class Work extends Lookups {
  readonly #before: State;
  readonly #runs: Map<string, Run>;
  readonly #enrolments: Map<string, Enrolment>;
  readonly #timeline: TimelineEntry[] = [];

  constructor(state: State, context: Context) {
    super(context);
    this.#before = state;
    this.#runs = new Map(state.runs.map((run) => [run.id, run]));
    this.#enrolments = new Map(state.enrolments.map((enrolment) => [enrolment.key, enrolment]));
  }

  get profileId(): string {
    return this.#before.profileId;
  }

  get activeRuns(): Run[] {
    return [...this.#runs.values()].filter(({ status }) => status === 'active');
  }

  get activeCount(): number {
    return this.activeRuns.length + (this.#before.others ?? 0);
  }

  run(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  /** The run that an enrolment names; it may be one that the state does not have. */
  enrolledRun(id: string): Run | null {
    const run = this.#runs.get(id) ?? this.context.facts.runs?.get(id);
    if (run === undefined) throw new MissingFacts([{ type: 'run', id }]);
    return run;
  }

  enrolment(key: string): Enrolment | undefined {
    return this.#enrolments.get(key);
  }

  enrol(enrolment: Enrolment): void {
    this.#enrolments.set(enrolment.key, enrolment);
  }

  /** Whether a run has been told of all that may end or wake it, but for what nobody has read yet. */
  hasSeen({ seenAt }: Run): boolean {
    return seenAt !== null && seenAt >= (this.context.automation.toldSince ?? 0);
  }

  versionOf({ version }: Pick<Run, 'version'>): Version {
    const found = this.context.automation.versions.get(version);
    if (!found) throw new TypeError(`Version ${version} of the automation is missing`);
    return found;
  }

  /** Changes a run, with an entry in its timeline. */
  record(run: Run, decision: Decision, change: Partial<Run>): Run {
    const next = { ...run, ...change, seq: run.seq + 1 };
    this.#runs.set(run.id, next);
    this.#timeline.push({ ...decision, runId: run.id, seq: next.seq, stepId: run.stepId, at: this.now });
    return next;
  }

  /** Changes a run by what its timeline says already. */
  place(run: Run): Run {
    this.#runs.set(run.id, run);
    return run;
  }

  end(run: Run, reason: EndReason, why: Omit<Extract<Decision, { outcome: 'ended' }>, 'outcome' | 'reason'> = {}): Run {
    this.release(run);
    return this.record(
      run,
      { outcome: 'ended', reason, ...why },
      { status: 'ended', reason, endedAt: this.now, dueAt: null, waiting: null },
    );
  }

  /** A run that does not go on leaves its place to others. */
  release(run: Run): void {
    for (const enrolment of this.#enrolments.values()) {
      if (enrolment.activeRunId === run.id) this.enrol({ ...enrolment, activeRunId: null });
    }
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  reaction(): Reaction {
    const [runs, enrolments] = [[...this.#runs.values()], [...this.#enrolments.values()]];
    return {
      state: { ...this.#before, enrolments, runs: runs.filter(({ status }) => status === 'active') },
      runs: runs.filter((run) => !this.#before.runs.includes(run)),
      enrolments: enrolments.filter((enrolment) => !this.#before.enrolments.includes(enrolment)),
      timeline: this.#timeline,
      effects: this.effects,
    };
  }
}
