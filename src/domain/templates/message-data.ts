import { parsed } from '../../db/raw-json.ts';
import type { RecordedEvent } from '../event.ts';
import type { Profile } from '../profile.ts';
import type { MessageSettings } from '../senders/message-settings.ts';
import { type StoreSettings, shownName } from '../store-settings.ts';
import { isTimeZone } from '../time/local.ts';
import type { TemplateData } from './core/compiled.ts';
import type { RenderOptions } from './core/render-content.ts';

/** Whom a message is for, and what it is about. */
export interface MessageParts {
  /** Undefined for a customer of whom nothing is known, in a preview. */
  profile: Profile | undefined;
  event: TemplateData['event'];
  data: TemplateData['data'];
  /** Undefined where no run has one. */
  coupon?: TemplateData['coupon'] | undefined;
  /** Undefined where it was not looked up. */
  recommended?: TemplateData['recommended'] | undefined;
  /** Undefined for what no campaign sends. */
  campaign?: { id: string; name: string } | undefined;
  store: TemplateData['store'];
  links: { unsubscribe: string; preferences: string; view: string };
}

const NOBODY = { id: null, identifiers: {}, attributes: {}, created_at: null, updated_at: null };

/** What a message is made of, whether it is sent or previewed. */
export function messageData({
  profile,
  event,
  data,
  coupon = null,
  recommended = {},
  campaign,
  store,
  links,
}: MessageParts): TemplateData {
  return {
    profile: profile ? profileData(profile) : NOBODY,
    event,
    store,
    campaign: campaign ? { id: campaign.id, name: campaign.name } : null,
    coupon,
    recommended,
    data,
    unsubscribe_url: links.unsubscribe,
    preferences_url: links.preferences,
    view_url: links.view,
    now: new Date().toISOString(),
  };
}

/** Where customers' attributes say their language and their time zone. */
interface Customs {
  locale?: unknown;
  time_zone?: unknown;
  /** As the compatibility surface stores it. */
  location?: { timezone?: unknown } | null;
}

/** The language and the time zone of a customer, where the attributes say; else the zone of the store. */
export function customsOf({ profile, store }: TemplateData): Pick<RenderOptions, 'locale' | 'timeZone'> {
  const { locale, time_zone: zone, location } = profile.attributes as Customs;
  return {
    locale: typeof locale === 'string' ? locale : undefined,
    timeZone: [zone, location?.timezone, store.time_zone].find(isZone) ?? 'UTC',
  };
}

const isZone = (value: unknown): value is string => typeof value === 'string' && isTimeZone(value);

/** What templates know of a store. */
export function storeData(
  settings: StoreSettings,
  { postalAddress }: Pick<MessageSettings, 'postalAddress'>,
): TemplateData['store'] {
  const { id, country, timeZone, currency, websiteUrl } = settings;
  const addresses = { website_url: websiteUrl, postal_address: postalAddress };
  return { id, name: shownName(settings), country, time_zone: timeZone, currency, ...addresses };
}

function profileData(profile: Profile): TemplateData['profile'] {
  const { id, email, phone, externalId, sourceId, anonymousId, attributes, createdAt, updatedAt } = profile;
  return {
    id,
    identifiers: { email, phone, external_id: externalId, source_id: sourceId, anonymous_id: anonymousId },
    attributes: parsed(attributes),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** What templates know of an event. */
export function eventData(event: RecordedEvent): NonNullable<TemplateData['event']> {
  const { id, eventType, profileId, properties, occurredAt, receivedAt } = event;
  return {
    id,
    event_type: eventType,
    profile_id: profileId,
    properties: parsed(properties),
    occurred_at: occurredAt.toISOString(),
    received_at: receivedAt.toISOString(),
  };
}
