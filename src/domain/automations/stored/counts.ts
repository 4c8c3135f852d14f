import { type RawBuilder, sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { Run } from '../core/machine/run.ts';
import type { SkipReason } from '../core/machine/skip.ts';
import type { TimelineEntry } from '../core/machine/timeline.ts';

/** The day of what is not counted by day, but as it is now. */
export const GAUGE_DAY = '1970-01-01';

/** `active` by version and `at` by step are how many there are now; the others, how often it happened on a day. */
export type CountMetric =
  | 'active'
  | 'at'
  | 'entered'
  | 'reached'
  | 'ended'
  | 'failed'
  | 'skipped'
  /** By version, of those that have a goal: runs that started, and those of them that have reached it. */
  | 'with_goal'
  | 'goal';

/** Adds up what a transaction changes in the counts of automations. */
export class Counts {
  readonly #day: string;
  readonly #counts = new Map<
    string,
    { automationId: string; day: string; metric: CountMetric; name: string; count: number }
  >();

  constructor(now: number) {
    this.#day = dayOf(now);
  }

  /** A run before and after, with what its timeline has got in between. */
  addRun(automationId: string, before: Run | undefined, after: Run, entries: readonly TimelineEntry[]): void {
    if (before?.status === 'active') {
      this.#add(automationId, 'active', String(before.version), -1);
      this.#add(automationId, 'at', before.stepId, -1);
    }
    if (after.status === 'active') {
      this.#add(automationId, 'active', String(after.version), 1);
      this.#add(automationId, 'at', after.stepId, 1);
    }
    let at = before?.stepId;
    if (!before) this.#add(automationId, 'entered', '', 1);
    for (const stepId of [...entries.map((entry) => entry.stepId), after.stepId]) {
      if (stepId !== at) this.#add(automationId, 'reached', stepId, 1);
      at = stepId;
    }
    for (const entry of entries) {
      if (entry.outcome === 'ended') this.#add(automationId, 'ended', entry.reason, 1);
      if (entry.outcome === 'failed') this.#add(automationId, 'failed', entry.code, 1);
    }
  }

  /** A run that has started on a version with a goal. */
  addWithGoal(automationId: string, run: Run): void {
    this.#add(automationId, 'with_goal', String(run.version), 1, dayOf(run.startedAt));
  }

  /** One that has reached it counts on the day on which it started, so that no rate is of other runs. */
  addGoal(automationId: string, run: Run): void {
    this.#add(automationId, 'goal', String(run.version), 1, dayOf(run.startedAt));
  }

  addSkip(automationId: string, reason: SkipReason): void {
    this.#add(automationId, 'skipped', reason, 1);
  }

  #add(automationId: string, metric: CountMetric, name: string, count: number, on = this.#day): void {
    const day = metric === 'active' || metric === 'at' ? GAUGE_DAY : on;
    const key = `${automationId} ${metric} ${name} ${day}`;
    const known = this.#counts.get(key);
    if (known) known.count += count;
    else this.#counts.set(key, { automationId, day, metric, name, count });
  }

  /** Undefined if there is nothing to add. */
  insertion(storeId: string): RawBuilder<unknown> | undefined {
    const all = [...this.#counts.values()].filter(({ count }) => count !== 0);
    if (all.length === 0) return undefined;
    return sql`
      insert into automation_count_new (store_id, id, automation_id, day, metric, name, count)
      select ${storeId}::uuid, id, automation_id, day::date, metric, name, count
      from unnest(
        ${uuids(all.map(() => newId()))}::uuid[],
        ${uuids(all.map(({ automationId }) => automationId))}::uuid[],
        ${texts(all.map(({ day }) => day))}::text[],
        ${texts(all.map(({ metric }) => metric))}::text[],
        ${texts(all.map(({ name }) => name))}::text[],
        ${integers(all.map(({ count }) => count))}::int[]) as c (id, automation_id, day, metric, name, count)`;
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
