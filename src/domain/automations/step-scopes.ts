import type { Caller, Scope } from '../caller.ts';
import { ServiceError } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';
import type { StepType } from './core/definition/steps.ts';

const SCOPES: Partial<Record<StepType, Scope>> = { set_profile: 'profiles:write', emit_event: 'events:write' };

/** Throws `forbidden` unless the caller may do all that the steps of a definition do. */
export function expectScopes({ scopes }: Caller, { steps }: Pick<Definition, 'steps'>): void {
  for (const { type } of steps) {
    const scope = SCOPES[type];
    if (scope === undefined || scopes.has(scope)) continue;
    throw new ServiceError('forbidden', `The API key lacks the scope ${scope}, which steps of the automation need`);
  }
}
