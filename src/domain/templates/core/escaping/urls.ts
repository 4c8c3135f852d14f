const SCHEMES = ['http:', 'https:', 'mailto:', 'tel:'];
/** What browsers drop from URLs, or from their start. */
const DROPPED = /[\t\n\r]|^[\0- ]+|[\0- ]+$/g;
/** What stands in no URL as it is. */
const NOT_IN_URLS = /[\0- "<>\\^`{|}\x7f]/g;

export function schemeOf(url: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*:)/i.exec(url)?.[1]?.toLowerCase();
}

/** Returns a URL without what browsers drop of it before they look at its scheme. */
export const asBrowsersRead = (url: string): string => url.replace(DROPPED, '');

/** Returns a URL as it may stand in an e-mail, and undefined for one that may not. */
export function safeUrl(url: string): string | undefined {
  const given = asBrowsersRead(url);
  if (given.startsWith('#')) return given.replace(NOT_IN_URLS, encodeURIComponent);
  if (!SCHEMES.includes(schemeOf(given) ?? '')) return undefined;
  return given.replace(NOT_IN_URLS, encodeURIComponent);
}

export const isWebUrl = (url: string): boolean => /^https?:/i.test(url);
