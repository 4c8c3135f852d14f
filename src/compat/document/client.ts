import type {
  ClientEventsCreate,
  ClientSubscriptionCreate,
  EventCreate,
  EventProfile,
  ProfileInput as ProfileResource,
} from '../../../generated/compat/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import type { CustomerConsent } from '../../domain/consent/consent-of-customers.ts';
import { FROM_CLIENT } from '../../domain/event.ts';
import type { Identifiers } from '../../domain/identifiers.ts';
import type { EventInput } from '../../domain/record-event.ts';
import { invalid, type Violation } from '../../domain/service-error.ts';
import type { ProfileChange } from '../../domain/write/draft.ts';
import { checkIdentified } from '../schema-keywords.ts';
import { eventInput } from './event.ts';
import { toProfileChange } from './profile.ts';
import { CONTACT, choicesOf, listNameOf } from './subscriptions.ts';
import { present } from './text.ts';

type Resource = EventProfile['data'] | ProfileResource;

/** Where a document has the profile of its events or of its subscription. */
export const PROFILE = ['data', 'attributes', 'profile', 'data'];
/** Where the document of an event has the name of its metric. */
export const METRIC_NAME = ['data', 'attributes', 'metric', 'data', 'attributes', 'name'];

/** Where the document of several events has that of one of them. */
export function metricNameAt(index: number): Violation['path'] {
  return ['data', 'attributes', 'events', 'data', index, ...METRIC_NAME.slice(1)];
}

/**
 * Converts a profile that anybody may have sent, which is at `path`: its `id` does not count, and e-mail addresses are
 * neither added to it nor dropped from it. Throws `validation_error` if nothing else identifies it.
 */
export function toClientProfile(resource: Resource, path: Violation['path'], caller: Caller): ProfileChange {
  const problem = checkIdentified({ attributes: resource.attributes });
  if (problem) throw invalid({ ...problem, path: [...path, ...problem.path] });
  const { identifiers, patch } = toProfileChange(resource, caller);
  return { identifiers: known(identifiers), patch, isUntrusted: true };
}

/**
 * A page can't give an `external_id` to a profile. A customer with nothing else is a visitor under a name of its own, so
 * that the next event finds them again.
 */
function known(identifiers: Identifiers): Identifiers {
  const { external_id, email, phone, anonymous_id } = identifiers;
  if (external_id === undefined || (email ?? phone ?? anonymous_id) !== undefined) return identifiers;
  return { external_id, anonymous_id: `external_id ${external_id}` };
}

export function toClientEventInput({ data: { attributes } }: EventCreate, caller: Caller): EventInput {
  const profile = toClientProfile(attributes.profile.data, PROFILE, caller);
  return untrusted(eventInput(attributes, profile, attributes.backfill));
}

/** Converts the events of one profile. */
export function toClientEventInputs({ data: { attributes } }: ClientEventsCreate, caller: Caller): EventInput[] {
  const profile = toClientProfile(attributes.profile.data, PROFILE, caller);
  return attributes.events.data.map(({ attributes: event }) =>
    untrusted(eventInput(event, profile, event.backfill ?? attributes.backfill)),
  );
}

/** Marks an event. No shop names a metric like the scope of its `unique_id`, which is so apart from those of others. */
function untrusted(input: EventInput): EventInput {
  const idempotencyScope = `client\n${input.idempotencyScope}`;
  return { ...input, source: { ...FROM_CLIENT, ...input.source }, idempotencyScope };
}

/**
 * Converts a subscription: first the customer, with all that is given; then the address or the number of each channel by
 * itself, because the consent is that of whoever owns it. It is given now, as nobody vouches for another time. Throws
 * `validation_error` if an address or a number is missing.
 */
export function toClientConsents({ data }: ClientSubscriptionCreate, caller: Caller): CustomerConsent[] {
  const { attributes, relationships } = data;
  const resource = attributes.profile.data;
  const { changes, violations } = choicesOf(resource, {
    kind: 'subscribed',
    source: attributes.custom_source ?? null,
    listName: listNameOf(relationships),
    isHistorical: false,
  });
  for (const { channel } of changes) {
    if (present(resource.attributes[CONTACT[channel]])) continue;
    const path = ['attributes', CONTACT[channel]];
    violations.push({ path, problem: 'must be given, because its channel is in subscriptions' });
  }
  const [first, ...others] = violations.map(({ path, problem }) => ({ path: [...PROFILE, ...path], problem }));
  if (first) throw invalid(first, ...others);
  const customer = toClientProfile(resource, PROFILE, caller);
  const { email, phone, spellings } = customer.identifiers;
  const now = new Date();
  const owners = changes.map((change): CustomerConsent => {
    const identifiers = { ...(change.channel === 'email' ? { email } : { phone }), spellings };
    return {
      profile: { identifiers, isUntrusted: true },
      changes: [{ ...change, changedAt: now, isNow: true, isFromClient: true }],
    };
  });
  return [{ profile: customer, changes: [] }, ...owners];
}
