import type { SimulationInput } from '../../../../client/index.ts';
import { objectIn } from '../../../components/json-object.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import { exitsOf } from '../graph/exits.ts';

type Assumed = NonNullable<SimulationInput['assume']>[number];

/** What else is to happen in a simulation, as it is typed. */
export type Assumption =
  | { kind: 'event'; after: string; event_type: string; json: string }
  | { kind: 'change'; after: string; json: string }
  | { kind: 'lot'; step: string; weight: number };

/** The shares of each split of a definition, by the id of its step. */
export function splitsOf(definition: AutomationDefinition | undefined): ReadonlyMap<string, string[]> {
  const splits = definition?.steps.filter(({ type }) => type === 'split') ?? [];
  return new Map(splits.map((step) => [step.id, exitsOf(step).map(({ label }) => label)]));
}

/** As the service takes it; undefined where something is no object of JSON. */
export function assumeOf(assumptions: readonly Assumption[]): Assumed[] | undefined {
  const assumed = assumptions.map((one) => {
    if (one.kind === 'lot') return { step: one.step, weight: one.weight };
    const values = objectIn(one.json);
    if (!values) return undefined;
    const { after } = one;
    return one.kind === 'event'
      ? { after, event: { event_type: one.event_type, properties: values } }
      : { after, set: values };
  });
  return assumed.every((one) => one !== undefined) ? assumed : undefined;
}
