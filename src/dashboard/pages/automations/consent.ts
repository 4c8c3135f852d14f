import type { AutomationDefinition, Condition, ConsentCondition } from '../../definitions.ts';

type Channel = ConsentCondition['consent']['channel'];

/** The definition so that only those enter who have consented and may be written to, and nothing is done for others later on. */
export function askingForConsent(definition: AutomationDefinition, channel: Channel): AutomationDefinition {
  const consents: Condition = { consent: { channel, status: 'subscribed' } };
  const suppressed: Condition = { consent: { channel, status: 'suppressed' } };
  const { entry_condition, exit_when } = definition;
  return {
    ...definition,
    entry_condition: { all: [...partsOf(entry_condition, 'all'), consents, { not: suppressed }] },
    exit_when: { any: [...partsOf(exit_when, 'any'), { not: consents }, suppressed] },
  };
}

/** The parts of a condition to which another is added. */
function partsOf(condition: Condition | undefined, by: 'all' | 'any'): readonly Condition[] {
  if (!condition) return [];
  if (by === 'all' && 'all' in condition) return condition.all;
  return by === 'any' && 'any' in condition ? condition.any : [condition];
}
