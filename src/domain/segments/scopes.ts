import type { Caller } from '../caller.ts';
import type { Condition } from '../conditions/condition.ts';
import { expectScopes, READS, scopesOf } from '../expect-scopes.ts';

/** Throws `forbidden` unless the caller may read all that a definition asks for: by counting, it would tell that. */
export function expectScopesToDefine(caller: Caller, definition: Condition): void {
  expectScopes(caller, scopesOf(definition), READS);
}
