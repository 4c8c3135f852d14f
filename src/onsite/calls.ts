import { readEvent, readProfile } from './mapping.ts';
import type { Sender } from './sender.ts';
import { copyOf, type Fields, isFields } from './values.ts';
import { addViewedItem, forgetViewedItems } from './viewed-items.ts';
import { forget, identifiers, isIdentified, isTrackingOff, known, recognise } from './visitor.ts';

/** Programs that read pages for search engines are nobody's customers. */
const ROBOT = /bot\/|crawl|spider/i;

/** Account and visitor come first, whatever the order of a page: then what it tracks is the visitor's. */
export const FIRST = ['account', 'identify'];

export type Method = (...args: unknown[]) => unknown;

/** Returns what pages may call. `account` is told of the account that a page names, and returns the key. */
export function createCalls(sender: Sender, account: (given: unknown) => string | undefined): Record<string, Method> {
  let wasActive = false;

  function send(attributes: Fields, event?: Fields, patch?: Fields): boolean {
    if (isTrackingOff() || ROBOT.test(navigator.userAgent)) return false;
    sender.add({ at: Date.now(), who: identifiers(), attributes, patch, events: event ? [event] : [] });
    return true;
  }

  /** That somebody is here is only worth telling of those who are known, once on each page. */
  function trackActivity(): void {
    if (wasActive || !isIdentified()) return;
    wasActive = send({}, readEvent('Active on Site', visit()));
  }

  return {
    account,
    trackActivity,
    isIdentified,
    identify(properties) {
      const { identifiers: given, attributes, patch } = readProfile(properties);
      if (!isTrackingOff() && recognise(given)) forgetViewedItems();
      const isNew = Object.keys({ ...given, ...attributes }).length > 0;
      if (isNew || patch) send(attributes, undefined, patch);
      trackActivity();
      return known();
    },
    track: (name, properties) => typeof name === 'string' && name !== '' && send({}, readEvent(name, properties)),
    trackViewedItem(item) {
      if (isFields(item) && !isTrackingOff()) send({ properties: { $viewed_items: addViewedItem(copyOf(item)) } });
    },
    /** Has the visitor told when a variant or an item is there again; they have to be known by an address or a number. */
    subscribeToItem(id, properties) {
      const waitsFor = typeof id === 'string' || typeof id === 'number' ? `${id}` : '';
      const { identifiers: given, attributes } = readProfile(properties);
      if (isTrackingOff() || ROBOT.test(navigator.userAgent) || waitsFor === '') return false;
      if (recognise(given)) forgetViewedItems();
      if (!isIdentified()) return false;
      sender.add({ at: Date.now(), who: identifiers(), attributes, events: [], waitsFor });
      return true;
    },
    clearIdentity() {
      forget();
      forgetViewedItems();
    },
  };
}

/** Where the visitor is and comes from, without what addresses may tell about a person. */
function visit(): Fields {
  const { origin, pathname, search } = location;
  const campaign = Array.from(new URLSearchParams(search)).filter(([name]) => name.startsWith('utm_'));
  const { utm_email: _, ...utm } = Object.fromEntries(campaign);
  const referrer = document.referrer && new URL(document.referrer);
  return {
    ...utm,
    page: origin + pathname,
    ...(referrer && referrer.origin !== origin ? { referrer: referrer.host } : {}),
  };
}
