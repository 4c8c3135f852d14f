import type { AutomationDefinition } from '../../../definitions.ts';
import { exitsOf } from '../graph/exits.ts';
import { STEP_NAMES, stepWords } from '../words/steps.ts';
import { ruleWords, TRIGGER_NAMES, triggerWords } from '../words/trigger.ts';

/** Whether the forms can show what somebody typed as text, which need not have the right shape before it is saved. */
export function canBeShown(definition: AutomationDefinition): boolean {
  const { name, start, steps, trigger } = definition;
  try {
    triggerWords(trigger);
    ruleWords(definition);
    for (const step of steps) exitsOf(step).concat({ label: stepWords(step), next: null });
    const isText = [name, start, ...steps.map(({ id }) => id)].every((text) => typeof text === 'string');
    return isText && trigger.type in TRIGGER_NAMES && steps.every(({ type }) => type in STEP_NAMES);
  } catch {
    return false;
  }
}
