import type { RawJson } from '../../db/raw-json.ts';
import type { Condition } from '../conditions/condition.ts';
import { type FormerCondition, inTodaysForm } from '../conditions/former.ts';

/** Reads a definition as it is stored, which may be in a former form. */
export function readDefinition(stored: RawJson): Condition {
  return inTodaysForm(stored.parse<FormerCondition>());
}
