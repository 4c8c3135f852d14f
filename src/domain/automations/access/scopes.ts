import type { Caller, Scope } from '../../caller.ts';
import { expectScopes, READS, scopesOf } from '../../expect-scopes.ts';
import { conditionsOf, matchesOf } from '../core/definition/conditions-of.ts';
import type { Definition, Trigger } from '../core/definition/definition.ts';
import { referencesOf } from '../core/definition/references.ts';
import { itemCases, type Step, type StepType } from '../core/definition/steps.ts';

const OF_EVENTS: readonly Scope[] = ['events:read'];
const OF_PROFILES: readonly Scope[] = ['profiles:read'];
/** Those of the operation that lists the members. */
const OF_MEMBERS: readonly Scope[] = ['audiences:read', 'profiles:read'];

const OF_TRIGGER: Record<Trigger['type'], readonly Scope[]> = {
  event: OF_EVENTS,
  profile_change: OF_PROFILES,
  date: OF_PROFILES,
  segment_entry: OF_MEMBERS,
  segment_exit: OF_MEMBERS,
  list_joined: OF_MEMBERS,
  list_left: OF_MEMBERS,
  consent_given: OF_PROFILES,
  consent_withdrawn: OF_PROFILES,
  catalog: ['catalog:read', 'profiles:read'],
  schedule: OF_MEMBERS,
  manual: [],
};

/** By the first word of a reference, which a draft may have anything for. */
const OF_SOURCE: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['event', OF_EVENTS],
  ['items', [...OF_EVENTS, 'catalog:read']],
  ['profile', OF_PROFILES],
]);

/**
 * Throws `forbidden` unless the caller may read all that a definition asks for or carries out: by counts, waits and
 * messages, it would tell that.
 */
export function expectScopesToDefine(caller: Caller, definition: Definition): void {
  const { trigger, key, time_zone, steps } = definition;
  expectScopes(
    caller,
    [
      ...OF_TRIGGER[trigger.type],
      ...(key || matchesOf(definition).length > 0 ? OF_EVENTS : []),
      ...(time_zone?.attribute === undefined ? [] : OF_PROFILES),
      ...conditionsOf(definition).flatMap(({ condition }) => scopesOf(condition)),
      ...steps.flatMap(scopesCarriedOut),
    ],
    READS,
  );
}

/** Those of what a step's templates and messages carry out. */
function scopesCarriedOut(step: Step): Scope[] {
  const sources = referencesOf(step).map(({ path }) => path[0] ?? '');
  const included = step.type === 'send_webhook' ? (step.include ?? []) : [];
  const ofItems: Scope[] = step.type === 'wait' && itemCases(step).length > 0 ? ['catalog:read'] : [];
  return [...[...sources, ...included].flatMap((source) => OF_SOURCE.get(source) ?? []), ...ofItems];
}

type Scopes = Partial<Record<StepType, Scope>>;

const TO_ENROL: Scopes = {
  set_profile: 'profiles:write',
  emit_event: 'events:write',
  assign_coupon: 'catalog:write',
  add_to_list: 'audiences:write',
  remove_from_list: 'audiences:write',
  subscribe: 'profiles:write',
  unsubscribe: 'profiles:write',
};
/** What a message carries out, and to whom, is decided here: whoever enrols a customer chooses neither. */
const TO_PUBLISH: Scopes = {
  ...TO_ENROL,
  send_webhook: 'webhooks:manage',
  call_webhook: 'webhooks:manage',
  send_email: 'messages:send',
  send_sms: 'messages:send',
};

/** Throws `forbidden` unless the caller may let a definition do from now on what it does. */
export function expectScopesToPublish(caller: Caller, definition: Definition): void {
  expectScopesOfSteps(caller, definition, TO_PUBLISH);
  expectScopesToDefine(caller, definition);
}

/** Throws `forbidden` unless the caller may let the steps of a published definition be taken for a customer. */
export function expectScopesToEnrol(caller: Caller, definition: Pick<Definition, 'steps'>): void {
  expectScopesOfSteps(caller, definition, TO_ENROL);
}

function expectScopesOfSteps(caller: Caller, { steps }: Pick<Definition, 'steps'>, needed: Scopes): void {
  expectScopes(
    caller,
    steps.flatMap(({ type }) => needed[type] ?? []),
    'steps of the automation need',
  );
}
