import { load, remove, save } from './storage.ts';
import { isFields, randomId } from './values.ts';

/** What the page has said about who its visitor is, by the names of the API. */
export type Identifiers = Partial<Record<'external_id' | 'email' | 'phone_number' | 'anonymous_id', string>>;

/** The strongest first: it decides whose profile it is. */
const NAMES = ['external_id', 'email', 'phone_number'] as const;
const STORED_AS = 'footfall_visitor';

/** A browser may not be tracked where the page has set this cookie, which shops' consent banners know. */
export function isTrackingOff(): boolean {
  try {
    return /(?:^|; )__kla_off=true/.test(document.cookie);
  } catch {
    return false;
  }
}

/** Returns who the visitor is, as far as the pages of this shop have said. */
export function known(): Identifiers {
  const stored = load(STORED_AS);
  if (!isFields(stored)) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => typeof value === 'string'));
}

export function isIdentified(): boolean {
  const visitor = known();
  return NAMES.some((name) => visitor[name] !== undefined);
}

/** Returns what is sent to name the visitor: an id of this browser only while nothing better is known. */
export function identifiers(): Identifiers {
  const { anonymous_id, ...others } = known();
  if (isIdentified()) return others;
  if (anonymous_id !== undefined) return { anonymous_id };
  const made = { anonymous_id: randomId() };
  save(STORED_AS, made);
  return made;
}

/** Remembers what a page says; returns whether that is somebody else than before. */
export function recognise(given: Identifiers): boolean {
  const before = known();
  const decides = NAMES.find((name) => before[name] !== undefined);
  const isOther = decides !== undefined && given[decides] !== undefined && given[decides] !== before[decides];
  save(STORED_AS, { ...(isOther ? {} : before), ...given });
  return isOther;
}

/** Forgets one identifier, which the service has refused. */
export function unlearn(name: keyof Identifiers, value: string): void {
  const visitor = known();
  if (visitor[name] !== value) return;
  delete visitor[name];
  save(STORED_AS, visitor);
}

export function forget(): void {
  remove(STORED_AS);
}
