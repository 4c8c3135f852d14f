import { sql } from 'kysely';
import { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { CHANNELS, type Channel } from '../consent/consent.ts';
import { type NamedChange, recordConsentOfCustomers } from '../consent/consent-of-customers.ts';
import { readConsents } from '../consent/read-consents.ts';
import { readTopics } from '../lists/topics.ts';
import { SHORT_PROFILE_COLUMNS } from '../profile.ts';
import { currentId } from '../profile-aliases.ts';
import { languagesOfMessages } from '../templates/languages.ts';
import { typeOfFate } from '../tracking/core/event-types.ts';
import { recordFateEvents } from '../tracking/message-events.ts';
import type { Origin } from '../write/profile-history.ts';
import type { AddressDigest } from './core/address-digest.ts';
import { suppressedOf } from './core/standings.ts';
import { CHOSEN_BY_LINK } from './unsubscribe.ts';

/** What a customer has chosen to get, and may choose. */
export interface Preferences {
  channels: { channel: Channel; isSubscribed: boolean }[];
  /** Whether nothing is sent to their e-mail address, whatever they choose. */
  isSuppressed: boolean;
  topics: { id: string; name: string; isIn: boolean; channels: Channel[] }[];
  /** The languages that there are messages in; none if there is nothing to choose. */
  languages: string[];
  /** That of those which messages are in; undefined if the customer has not chosen one of them. */
  language: string | undefined;
}

/** What was chosen: of channels and topics those alone that were shown. */
export interface Choice {
  channels: ReadonlyMap<Channel, boolean>;
  topics: ReadonlyMap<string, boolean>;
  /** Undefined: as it is. */
  language?: string | undefined;
}

interface Of {
  storeId: string;
  profileId: string;
}

/** Who chooses, by a link of a message. */
interface By extends Of {
  messageId: string;
}

interface ProfileRow {
  email: string | null;
  phone: string | null;
  attributes: RawJson | null;
}

/** Undefined if there is no such customer any more. */
export async function readPreferences(
  db: Sql,
  { storeId, profileId: addressed }: Of,
  digestOf: AddressDigest,
): Promise<Preferences | undefined> {
  const profileId = await currentId(db, storeId, addressed);
  const { rows } = await sql<ProfileRow>`
    select ${SHORT_PROFILE_COLUMNS} from profile p where store_id = ${storeId} and id = ${profileId}`.execute(db);
  const [profile] = rows;
  if (!profile) return undefined;
  const { email, phone } = profile;
  const consents = await readConsents(db, storeId, [profileId]);
  const consentOf = (channel: Channel) => consents.get(profileId)?.[channel];
  const suppressed = email === null ? undefined : await suppressedOf(db, storeId, [email], digestOf);
  const topics = await readTopics(db, storeId, profileId);
  const choiceOf = (channel: Channel, id: string) => consentOf(channel)?.lists.find((list) => list.id === id)?.status;
  // What is too long to be changed here stays as it is.
  const languages = profile.attributes === null ? [] : await languagesOfMessages(db, storeId);
  return {
    channels: CHANNELS.filter((channel) => channel === 'email' || phone !== null).map((channel) => ({
      channel,
      isSubscribed: consentOf(channel)?.status === 'subscribed',
    })),
    isSuppressed: !!suppressed?.size || !!consentOf('email')?.suppressed,
    topics: topics.map(({ id, name, isMember }) => {
      const choice = choiceOf('email', id);
      const isIn = choice === undefined ? isMember : choice === 'subscribed';
      return { id, name, isIn, channels: CHANNELS.filter((channel) => choiceOf(channel, id) === 'subscribed') };
    }),
    languages: languages.length > 1 ? languages : [],
    language: languageOf(profile.attributes, languages),
  };
}

function languageOf(attributes: RawJson | null, languages: readonly string[]): string | undefined {
  const { locale } = (attributes instanceof RawJson ? attributes.parse<object>() : (attributes ?? {})) as {
    locale?: unknown;
  };
  if (typeof locale !== 'string') return undefined;
  const find = (name: string | undefined) => languages.find((one) => one.toLowerCase() === name?.toLowerCase());
  return find(locale) ?? find(locale.split('-')[0]);
}

/** Of a store that keeps a history: that a customer changed it by the link of a message. */
const BY_LINK: Origin = { surface: 'client', operation: 'preferences', actor: null };

/**
 * Records what of the preferences is chosen otherwise than they are, in one transaction: consent, lists and language. A
 * topic is chosen for e-mail; who chooses against it gets nothing of it through any channel. Others hear of a channel that is
 * chosen no more as they do where somebody unsubscribes from it. `keepsHistory`: whether the store keeps a history of its customers.
 */
export async function changePreferences(
  db: Sql,
  of: By,
  known: Preferences,
  choice: Choice,
  keepsHistory: boolean,
): Promise<void> {
  const change = { changedAt: new Date(), isNow: true, source: CHOSEN_BY_LINK };
  const ofChannels = known.channels.flatMap(({ channel, isSubscribed }): NamedChange[] => {
    const wanted = choice.channels.get(channel);
    return wanted === undefined || wanted === isSubscribed ? [] : [{ ...change, channel, kind: kindOf(wanted) }];
  });
  const ofTopics = known.topics.flatMap(({ id, isIn, channels }): NamedChange[] => {
    const wanted = choice.topics.get(id);
    if (wanted === undefined || wanted === isIn) return [];
    const concerned = wanted ? (['email'] as const) : new Set<Channel>(['email', ...channels]);
    return [...concerned].map((channel) => {
      return { ...change, channel, kind: kindOf(wanted), listName: id, isOfListOnly: true };
    });
  });
  const { language } = choice;
  const patch = language === undefined || language === known.language ? undefined : { set: { locale: language } };
  const changes = [...ofChannels, ...ofTopics];
  if (changes.length === 0 && !patch) return;
  const profile = { profileId: of.profileId, identifiers: {}, patch };
  const left = ofChannels.filter(({ kind }) => kind === 'unsubscribed');
  const events = left.map(({ channel }) => {
    return { messageId: of.messageId, eventType: typeOfFate(channel, 'unsubscribed'), at: change.changedAt };
  });
  await recordConsentOfCustomers(db, of.storeId, [{ profile, changes }], {
    ...(keepsHistory && { origin: BY_LINK }),
    andThen: (tx) => recordFateEvents(tx, of.storeId, events),
  });
}

/** The choice of nothing at all. */
export function nothingOf({ channels, topics }: Preferences): Choice {
  return {
    channels: new Map(channels.map(({ channel }) => [channel, false])),
    topics: new Map(topics.map(({ id }) => [id, false])),
  };
}

function kindOf(isWanted: boolean): 'subscribed' | 'unsubscribed' {
  return isWanted ? 'subscribed' : 'unsubscribed';
}
