import { describe, fieldOf, invalidAll, ServiceError, type Violation } from '../service-error.ts';
import { checkDefinition, malformedParts } from './core/check/check-definition.ts';
import { messagesWithoutConsent } from './core/check/consent.ts';
import type { Definition } from './core/definition/definition.ts';

/** Returns what refuses the publication of a definition; paths begin at its root. */
export function problemsOf(definition: Definition): Violation[] {
  return checkDefinition(definition);
}

/** Returns the same with what only the store can tell, each place once. */
export function allProblems(definition: Definition, ofStore: readonly Violation[]): Violation[] {
  const own = problemsOf(definition);
  const places = new Set(own.map(({ path }) => fieldOf(path)));
  return [...own, ...ofStore.filter(({ path }) => !places.has(fieldOf(path)))];
}

/** Returns what does not refuse it, and whoever publishes should know; paths begin at its root. */
export function warningsOf(definition: Definition): Violation[] {
  return messagesWithoutConsent(definition);
}

/** "steps[3].next is not the id of a step" */
export function describeProblem(problem: Violation): string {
  return problem.path.length === 0 ? `The definition ${problem.problem}` : describe(problem);
}

/** Throws `validation_error` with all that not even a draft may have; paths begin with `definition`. */
export function expectWellFormed(definition: Definition): void {
  refuseAny(malformedParts(definition));
}

/** Throws `validation_error` with all that refuses the publication of a definition, `ofStore` among it. */
export function expectPublishable(definition: Definition, ofStore: readonly Violation[]): void {
  const violations = allProblems(definition, ofStore);
  const [first] = violations;
  if (first) throw new ServiceError('validation_error', describeProblem(first), { violations });
}

/** What decides who enters. */
const OF_ENTRY = new Set<string | number | undefined>(['trigger', 'key', 'entry_condition', 'reentry', 'time_zone']);

/** The same of what concerns who enters; paths begin with `definition`. */
export function expectEntryPublishable(definition: Definition): void {
  refuseAny(problemsOf(definition).filter(({ path }) => OF_ENTRY.has(path[0])));
}

/** The same of all; paths begin with `definition`. */
export function expectSimulatable(definition: Definition): void {
  refuseAny(problemsOf(definition));
}

function refuseAny(problems: readonly Violation[]): void {
  if (problems.length === 0) return;
  throw invalidAll(problems.map((problem) => ({ ...problem, path: ['definition', ...problem.path] })));
}
