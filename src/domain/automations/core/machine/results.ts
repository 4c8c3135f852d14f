import { iso } from '../../../time/local.ts';
import type { Definition } from '../definition/definition.ts';
import { resultPaths } from '../definition/uses.ts';
import { keep } from './capture.ts';
import type { Captured, Run, StepResults } from './run.ts';

/** Bytes of JSON that a run keeps of what one step brought, and of all. */
const [MAX_OF_STEP, MAX_OF_ALL] = [16 * 1024, 64 * 1024];

/** As references, conditions and texts see them: `steps.score.answer.tier`. */
export function resultsData(results: StepResults | null): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(results ?? {}).map(([id, { status, answer, event }]) => [
      id,
      {
        ...(status !== undefined && { status, answer }),
        ...(event && {
          event: {
            id: event.id,
            event_type: event.eventType,
            occurred_at: iso(event.occurredAt),
            properties: event.properties,
          },
        }),
      },
    ]),
  );
}

/** What a run keeps of the answer to a call: what its definition reads. What does not fit any more is null. */
export function withAnswer(
  { results, stepId }: Run,
  definition: Definition,
  { status, answer }: { status: number | null; answer: unknown },
): StepResults {
  const { kept } = keep(pathsOf(definition, stepId, 'answer'), { answer }, roomIn(results));
  return { ...results, [stepId]: { status, answer: kept.answer ?? null } };
}

/** The same of the event that ended a wait. */
export function withEvent(
  { results, stepId }: Run,
  definition: Definition,
  { id, eventType, occurredAt, properties }: NonNullable<Captured['event']> & { properties: Captured['properties'] },
): StepResults | null {
  if (resultPaths(definition, stepId).length === 0) return results;
  const paths = pathsOf(definition, stepId, 'event').map((path) => path.slice(1));
  const { kept } = keep(paths, { properties }, roomIn(results));
  const found = (kept.properties ?? {}) as Captured['properties'];
  return { ...results, [stepId]: { event: { id, eventType, occurredAt, properties: found } } };
}

function pathsOf(definition: Definition, stepId: string, member: string): string[][] {
  return resultPaths(definition, stepId).filter(([first]) => first === member);
}

function roomIn(results: StepResults | null): number {
  const used = results ? Buffer.byteLength(JSON.stringify(results)) : 0;
  return Math.min(MAX_OF_STEP, MAX_OF_ALL - used);
}
