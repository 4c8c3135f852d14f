import type { FunnelStepInput } from '../../../../client/index.ts';
import { isShownWhole } from '../../../conditions/shown-whole.ts';
import type { Condition } from '../../../definitions.ts';

export interface Step extends Omit<FunnelStepInput, 'where'> {
  where?: Condition;
}

/** What is counted: what `getFunnel` takes, but for the days. */
export interface FunnelDefinition {
  steps: readonly Step[];
  window: string;
  breakdown: string;
}

export const [MIN_STEPS, MAX_STEPS] = [2, 6];

export const NEW: FunnelDefinition = {
  steps: [{ event_type: 'viewed_product' }, { event_type: 'placed_order' }],
  window: 'P7D',
  breakdown: '',
};

export const toAddress = (definition: FunnelDefinition) => JSON.stringify(definition);

/** What an address names, as far as the editor can show it; what somebody has changed in it may be anything. */
export function fromAddress(text: string | undefined): FunnelDefinition | undefined {
  if (text === undefined) return undefined;
  try {
    const { steps, window, breakdown } = JSON.parse(text);
    const isKnown =
      Array.isArray(steps) && steps.length >= MIN_STEPS && steps.length <= MAX_STEPS && steps.every(isStep);
    return isKnown ? { steps, window: textOf(window) || NEW.window, breakdown: textOf(breakdown) } : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

function isStep(step: unknown): boolean {
  if (typeof step !== 'object' || step === null) return false;
  const { event_type, where, from_client = true } = step as Partial<Step>;
  return (
    typeof event_type === 'string' &&
    typeof from_client === 'boolean' &&
    (where === undefined || (typeof where === 'object' && isShownWhole(where)))
  );
}
