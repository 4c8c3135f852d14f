/** Headers of a request for a link or an image, in lower case. */
export type HeadersOfHit = Readonly<Record<string, string | string[] | undefined>>;

/** Programs that say so, those that look for harmful links, and those that show a preview of a page. */
const PROGRAMS =
  /(?<!cu)bot\b|crawl|spider|slurp|scan|preview|headless|phantom|curl|wget|python|libwww|go-http|java\/|okhttp|axios|node-fetch|ruby|perl|proofpoint|mimecast|barracuda|safelinks|urldefense|facebookexternalhit|whatsapp|skypeuripreview/i;
/** What fetches images for the readers of Gmail and Yahoo, once they open a message. */
const OF_READERS = /GoogleImageProxy|YahooMailProxy/;
/** Apple's servers load all images of every message, whether or not anybody opens it, and say no more than this. */
const APPLE = 'Mozilla/5.0';
const PREFETCHING = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Whether a request itself says that no person made it. */
export function isByMachine(method: string, headers: HeadersOfHit): boolean {
  if (method === 'HEAD') return true;
  if (PREFETCHING.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? '')))) return true;
  const agent = headers['user-agent']?.toString().trim() ?? '';
  if (OF_READERS.test(agent)) return false;
  return agent === '' || agent === APPLE || PROGRAMS.test(agent);
}
