import type { DefinitionProblem } from '../../../../client/index.ts';
import type { AutomationDefinition } from '../../../definitions.ts';

/** Finds the numbers that are not filled in, which are `NaN`: as JSON they would become `null`. */
export function missingNumbers(definition: AutomationDefinition): DefinitionProblem[] {
  return [...placesOfNaN(definition, '')].map((field) => ({ field, message: 'A number is missing.' }));
}

function* placesOfNaN(value: unknown, place: string): Generator<string> {
  if (Number.isNaN(value)) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const within = Array.isArray(value) ? `${place}[${name}]` : place === '' ? name : `${place}.${name}`;
    yield* placesOfNaN(part, within);
  }
}
