import type { Caller, Scope } from '../caller.ts';
import { ServiceError } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';
import type { StepType } from './core/definition/steps.ts';

type Scopes = Partial<Record<StepType, Scope>>;

const TO_ENROL: Scopes = { set_profile: 'profiles:write', emit_event: 'events:write' };
/** What a message carries out, and to whom, is decided here: whoever enrols a customer chooses neither. */
const TO_PUBLISH: Scopes = { ...TO_ENROL, send_webhook: 'webhooks:manage' };

/** Throws `forbidden` unless the caller may let the steps of a definition be taken from now on. */
export function expectScopesToPublish(caller: Caller, definition: Pick<Definition, 'steps'>): void {
  expectScopes(caller, definition, TO_PUBLISH);
}

/** Throws `forbidden` unless the caller may let the steps of a published definition be taken for a customer. */
export function expectScopesToEnrol(caller: Caller, definition: Pick<Definition, 'steps'>): void {
  expectScopes(caller, definition, TO_ENROL);
}

function expectScopes({ scopes }: Caller, { steps }: Pick<Definition, 'steps'>, needed: Scopes): void {
  for (const { type } of steps) {
    const scope = needed[type];
    if (scope === undefined || scopes.has(scope)) continue;
    throw new ServiceError('forbidden', `The API key lacks the scope ${scope}, which steps of the automation need`);
  }
}
