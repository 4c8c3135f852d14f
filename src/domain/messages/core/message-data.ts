import type { TemplateData } from '../../templates/core/compiled.ts';
import { isTimeZone } from '../../time/local.ts';
import type { MessageContext } from './message.ts';

/** Of a message, and of the store that sends it. */
interface Told {
  profile: TemplateData['profile'];
  context: MessageContext;
  store: Readonly<Record<string, unknown>>;
  /** Where its links lead. */
  links: { unsubscribe: string; preferences: string; view: string };
}

/** What the template of a message sees: customers and events as they are shown by the API. */
export function messageData({ profile, context, store, links }: Told): TemplateData {
  return {
    profile,
    event: context.event,
    data: context.data,
    store,
    campaign: null,
    unsubscribe_url: links.unsubscribe,
    preferences_url: links.preferences,
    view_url: links.view,
    now: new Date().toISOString(),
  };
}

/** The language and the time zone of a customer, where their attributes say. */
export function customsOf({ attributes }: TemplateData['profile']): { locale: string | undefined; timeZone: string } {
  const { locale, time_zone: zone } = attributes as { locale?: unknown; time_zone?: unknown };
  return {
    locale: typeof locale === 'string' ? locale : undefined,
    timeZone: typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC',
  };
}
