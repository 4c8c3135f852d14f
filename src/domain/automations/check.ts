import type { Violation } from '../service-error.ts';
import { checkDefinition } from './core/check/check-definition.ts';
import type { Definition } from './core/definition/definition.ts';
import type { StepType } from './core/definition/steps.ts';

/** The types of step that can be published. */
const STEP_TYPES: ReadonlySet<StepType> = new Set<StepType>([
  'delay',
  'wait',
  'branch',
  'split',
  'set_profile',
  'emit_event',
  'exit',
]);

/** Returns what refuses the publication of a definition; paths begin with `definition`. */
export function problemsOf(definition: Definition): Violation[] {
  return checkDefinition(definition, { stepTypes: STEP_TYPES }).map(({ path, ...rest }) => ({
    ...rest,
    path: ['definition', ...path],
  }));
}
