import type {
  ClientSubscriptionCreate,
  EventCreate,
  EventGroup,
  ProfileInput as ProfileResource,
} from '../../../generated/compat/types.gen.ts';
import type { CustomerConsent } from '../../domain/consent/consent-of-customers.ts';
import { FROM_CLIENT } from '../../domain/event.ts';
import type { EventInput } from '../../domain/record-event.ts';
import { invalid } from '../../domain/service-error.ts';
import type { ProfileChange } from '../../domain/write/draft.ts';
import { toEventInput, toEventInputs } from './event.ts';
import { toProfileChange } from './profile.ts';
import { CONTACT, choicesOf, listIdOf } from './subscriptions.ts';
import { present } from './text.ts';

/** The profile of a subscription in its document. */
export const SUBSCRIBER = ['data', 'attributes', 'profile', 'data'];

/** Converts a profile that anybody may have sent: e-mail addresses are neither added to it nor dropped from it. */
export function toClientProfile(resource: ProfileResource): ProfileChange {
  const { profileId, identifiers, patch } = toProfileChange(resource);
  return { profileId, identifiers, patch, isUntrusted: true };
}

export function toClientEventInput(body: EventCreate): EventInput {
  return untrusted(toEventInput(body), toClientProfile(body.data.attributes.profile.data));
}

/** Converts the events of one profile. */
export function toClientEventInputs(group: EventGroup): EventInput[] {
  const profile = toClientProfile(group.attributes.profile.data);
  return toEventInputs(group).map((input) => untrusted(input, profile));
}

/** Marks an event. No shop names a metric like the scope of its `unique_id`, which is so apart from those of others. */
function untrusted(input: EventInput, profile: ProfileChange): EventInput {
  const idempotencyScope = `client\n${input.idempotencyScope}`;
  return { ...input, profile, source: { ...FROM_CLIENT, ...input.source }, idempotencyScope };
}

/**
 * Converts a subscription: first the customer, with all that is given; then the address or the number of each channel by
 * itself, because the consent is that of whoever owns it. Throws `validation_error` if one is missing.
 */
export function toClientConsents({ data }: ClientSubscriptionCreate): CustomerConsent[] {
  const { attributes, relationships } = data;
  const resource = attributes.profile.data;
  const { changes, violations } = choicesOf(resource, {
    kind: 'subscribed',
    source: attributes.custom_source ?? null,
    listId: listIdOf(relationships),
    isHistorical: false,
  });
  for (const { channel } of changes) {
    if (present(resource.attributes[CONTACT[channel]])) continue;
    const path = ['attributes', CONTACT[channel]];
    violations.push({ path, problem: 'must be given, because its channel is in subscriptions' });
  }
  const [first, ...others] = violations.map(({ path, problem }) => ({ path: [...SUBSCRIBER, ...path], problem }));
  if (first) throw invalid(first, ...others);
  const customer = toClientProfile(resource);
  const { email, phone } = customer.identifiers;
  const owners = changes.map((change): CustomerConsent => {
    const identifiers = change.channel === 'email' ? { email } : { phone };
    return { profile: { identifiers, isUntrusted: true }, changes: [change] };
  });
  return [{ profile: customer, changes: [] }, ...owners];
}
