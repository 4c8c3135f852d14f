import type { Caller, Scope } from './caller.ts';
import { ServiceError } from './service-error.ts';

/** Throws `forbidden` unless the caller has all of the scopes; `what` needs them: "steps of the automation need". */
export function expectScopes({ scopes }: Caller, needed: Iterable<Scope>, what: string): void {
  for (const scope of needed) {
    if (scopes.has(scope)) continue;
    throw new ServiceError('forbidden', `The API key lacks the scope ${scope}, which ${what}`);
  }
}

/** What a definition asks for shows in its counts and its previews, though only one by one. */
export const READS = 'what the definition reads needs';
