import type {
  ConsentRelationships,
  SubscribedProfile,
  UnsubscribedProfile,
} from '../../../generated/compat/types.gen.ts';
import type { Caller } from '../../domain/caller.ts';
import { CHANNELS, type Channel, choiceTime } from '../../domain/consent/consent.ts';
import type { CustomerConsent } from '../../domain/consent/consent-of-customers.ts';
import { invalid, type Violation } from '../../domain/service-error.ts';
import { parseLenientTime } from '../lenient-time.ts';
import { toProfileChange } from './profile.ts';
import { present } from './text.ts';

type Resource = SubscribedProfile | UnsubscribedProfile;
type Choice = { consent?: string; consented_at?: string | null };

/** What the choices of a job have in common. */
export interface JobOfChoices {
  kind: 'subscribed' | 'unsubscribed';
  source: string | null;
  listName: string | undefined;
  /** Whether these are choices of the past. Then each has to say when it was made. */
  isHistorical: boolean;
}

/** The profiles of a job in its document. */
export const PROFILES = ['data', 'attributes', 'profiles', 'data'];

/** The attribute with the address of a channel. */
export const CONTACT = { email: 'email', sms: 'phone_number' } as const;

/** Converts the profiles of a job. Throws `validation_error` with a violation for each bad item. */
export function toChoices(resources: readonly Resource[], job: JobOfChoices, caller: Caller): CustomerConsent[] {
  const now = Date.now();
  const all: Violation[] = [];
  const customers = resources.map((resource, i): CustomerConsent => {
    const { profileId, identifiers } = toProfileChange(resource, caller);
    const { changes, violations } = choicesOf(resource, job, now);
    for (const { path, problem } of violations) all.push({ path: [...PROFILES, i, ...path], problem });
    return { profile: { profileId, identifiers }, changes };
  });
  const [first, ...others] = all;
  if (first) throw invalid(first, ...others);
  return customers;
}

/** Converts the choices of one profile; paths of violations begin in its resource. */
export function choicesOf(
  resource: Resource,
  job: JobOfChoices,
  now = Date.now(),
): { changes: CustomerConsent['changes']; violations: Violation[] } {
  const violations: Violation[] = [];
  const changes = channelsOf(resource).map(({ channel, path, choice }) => {
    const changedAt = timeOf(choice, now);
    const needsTime = job.isHistorical && !present(choice.consented_at);
    if (needsTime) {
      violations.push({ path, problem: 'needs consented_at, because historical_import is true' });
    } else if (!changedAt) {
      const problem = 'must be a time from 1990 on that is not in the future';
      violations.push({ path: [...path, 'consented_at'], problem });
    }
    return {
      channel,
      kind: job.kind,
      changedAt: changedAt ?? new Date(now),
      isNow: !present(choice.consented_at),
      source: job.source,
      listName: job.listName,
      isHistorical: job.isHistorical,
    };
  });
  const missing = missingContact(resource);
  if (missing) violations.push(missing);
  return { changes, violations };
}

/** Returns the name that a job gives its list: an `id` or a `source_id`. */
export function listNameOf(relationships: ConsentRelationships | undefined): string | undefined {
  return relationships?.list?.data?.id;
}

interface ChannelChoice {
  channel: Channel;
  /** Where the profile's resource has the choice. */
  path: Violation['path'];
  choice: Choice;
}

function channelsOf({ attributes }: Resource): ChannelChoice[] {
  const subscriptions = attributes?.subscriptions;
  return CHANNELS.flatMap((channel): ChannelChoice[] => {
    if (!subscriptions) {
      const contact = CONTACT[channel];
      return present(attributes?.[contact]) ? [{ channel, path: ['attributes', contact], choice: {} }] : [];
    }
    const choice = subscriptions[channel]?.marketing;
    return choice ? [{ channel, path: ['attributes', 'subscriptions', channel, 'marketing'], choice }] : [];
  });
}

function timeOf({ consented_at }: Choice, now: number): Date | undefined {
  const time = present(consented_at) ? parseLenientTime(consented_at) : new Date(now);
  return time && choiceTime(time, now);
}

/** Without an address or a number, nobody can tell which channels are meant. */
function missingContact({ attributes }: Resource): Violation | undefined {
  if (attributes?.subscriptions || CHANNELS.some((channel) => present(attributes?.[CONTACT[channel]])))
    return undefined;
  return { path: ['attributes'], problem: 'needs an email, a phone number in phone_number, or subscriptions' };
}
