import { domainToASCII, domainToUnicode } from 'node:url';
import { type Canonical, canonical } from './spellings.ts';
import { isAscii, withAsciiDigits, withoutInvisible, withoutInvisibleButJoiners, withoutJoiners } from './text.ts';

const MAX_LENGTH = 254;
/** Characters that no part of an address may have: spaces and controls. */
const HIDDEN = String.raw`\s\x00-\x1f\x7f-\x9f`;
/** Dots may be anywhere but at the beginning: `a..b` and `a.` are forbidden and exist. */
const LOCAL = String.raw`(?!\.)[^${HIDDEN}@"(),:;<>\[\]\\]+`;
/** Letters and digits of any script, not only ASCII. */
const WORD = String.raw`[^${HIDDEN}!-\/:-@\[-\x60\{-~]+`;
const LABEL = `${WORD}(?:-+${WORD})*`;
const EMAIL = new RegExp(String.raw`^${LOCAL}@${LABEL}(?:\.${LABEL})*$`, 'u');

/** Most addresses: they are their own form, but for upper case. Without flags, which would slow it down. */
const PLAIN = /^(?!\.)[!#-'*+\-./0-9=?A-Z^-~]+@[0-9A-Za-z]+(?:-+[0-9A-Za-z]+)*(?:\.[0-9A-Za-z]+(?:-+[0-9A-Za-z]+)*)*$/;

const AT_SIGNS = /[\uff20\ufe6b]/g;
const DOTS = /[\u3002\uff0e\uff61]/g;
const HYPHENS = /[\u2010\u2011\u2212]/g;
const BEYOND_ASCII = /[^\0-\x7f]/gu;
/** What may not come of a character that was allowed: it would end the address, or make it malformed. */
const NOT_TO_BECOME = new RegExp(String.raw`[${HIDDEN}@"(),:;<>\[\]\\]`, 'u');

/**
 * Reads an e-mail address: trimmed, lower-cased, composed, without invisible characters, with compatible letters, digits
 * and signs as ASCII. Its domain is matched as ASCII, and shown as it was sent. Undefined if that is not an address of at
 * most 254 characters.
 */
export function readEmail(given: string): Canonical | undefined {
  const trimmed = given.trim().toLowerCase();
  if (!PLAIN.test(trimmed)) return isAscii(trimmed) ? undefined : readForeign(given, trimmed);
  if (trimmed.length > MAX_LENGTH) return undefined;
  return trimmed.includes('xn--') ? withSpellings(trimmed, trimmed) : { value: trimmed };
}

/** The beginning of an address, to be compared with those that are stored. */
export function canonicalEmailPrefix(given: string): string {
  const text = given.trim();
  return isAscii(text) ? text.toLowerCase() : simplified(text);
}

function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && EMAIL.test(text);
}

function readForeign(given: string, asSent: string): Canonical | undefined {
  const shown = simplified(given);
  if (!isEmail(shown)) return undefined;
  return withSpellings(shown, asSent);
}

/** Replaces what has a plain counterpart, except for the letters of a domain. */
function simplified(given: string): string {
  const text = withoutInvisibleButJoiners(given.normalize('NFC'))
    .replace(AT_SIGNS, '@')
    .replace(DOTS, '.')
    .replace(HYPHENS, '-')
    .trim();
  const at = text.lastIndexOf('@');
  if (at < 0)
    return compatible(withAsciiDigits(withoutJoiners(text)))
      .toLowerCase()
      .normalize('NFC');
  const local = compatible(withAsciiDigits(withoutInvisible(text.slice(0, at))));
  const labels = compatible(text.slice(at + 1)).split('.');
  // Among the letters of their own script they are part of a name.
  const domain = labels.map((label) => (isAscii(withAsciiDigits(label)) ? withAsciiDigits(label) : label)).join('.');
  return `${local}@${domain}`.toLowerCase().normalize('NFC');
}

/** Replaces fullwidth and other compatible characters, unless it would make another address of it. */
function compatible(text: string): string {
  return text.replace(BEYOND_ASCII, (character) => {
    const plain = character.normalize('NFKC');
    return NOT_TO_BECOME.test(plain) ? character : plain;
  });
}

function withSpellings(address: string, asSent: string): Canonical {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const [domain, ascii] = readDomain(address.slice(at + 1));
  const shown = `${local}@${domain}`;
  const unicode = ascii.includes('xn--') ? domainToUnicode(ascii) : ascii;
  const [value, inLetters] = [`${local}@${ascii}`, `${local}@${unicode}`];
  const owned = isEmail(inLetters) ? [value, inLetters] : [value];
  const former = asSent.isWellFormed() && !asSent.includes('\0') ? [asSent] : [];
  return canonical(value, { shown, owned, lookedUp: [...former, shown, ...owned] });
}

/** Returns a domain as it is shown, and in ASCII: the same where it has no such form. */
function readDomain(given: string): [shown: string, ascii: string] {
  // Joiners are part of some names, and a mistake in others.
  for (const domain of [given, withoutJoiners(given)]) {
    const ascii = isAscii(domain) ? domain : domainToASCII(domain);
    if (ascii) return [domain, ascii];
  }
  return [given, given];
}
