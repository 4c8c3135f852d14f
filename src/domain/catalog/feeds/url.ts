import type { Secrets } from '../../secrets/secrets.ts';
import { invalid } from '../../service-error.ts';
import { problemOfUrl, type UrlRules } from '../../webhooks/endpoints/url.ts';
import type { OpenFeed } from './fetch.ts';

export interface FeedTools {
  rules: UrlRules;
  secrets: Secrets;
  /** Asks servers for files that are previewed. */
  open: OpenFeed;
}

export const placeOfUrl = (storeId: string, id: string) => ['catalog_feed', storeId, id, 'url'];

/** Returns a URL as it is called. Throws `validation_error` if nothing is read from it. */
export function checkedFeedUrl(text: string, rules: UrlRules): string {
  const url = URL.parse(text);
  const hasUser = url && (url.username || url.password);
  const problem = hasUser ? 'must have no user name and password' : problemOfUrl(text, rules);
  if (problem) throw invalid({ path: ['url'], problem });
  return (url as URL).href;
}

/** The path may have a token as well as what follows it. */
export function shownOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}/` : `${origin}/…`;
}
