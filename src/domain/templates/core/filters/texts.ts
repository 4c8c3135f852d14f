import { bounded, boundedList, expectLength } from '../bounds.ts';
import { plain, toCount, toText } from '../values.ts';

const strip = (value: unknown) => toText(value).trim();

/** Replaces every occurrence of a text; nothing in it is a pattern. */
function replace(value: unknown, search: unknown, replacement: unknown): string {
  const [text, searched, by] = [toText(value), toText(search), toText(replacement)];
  if (searched === '') return text;
  const parts = text.split(searched);
  expectLength(text.length + (parts.length - 1) * (by.length - searched.length));
  return parts.join(by);
}

function replaceFirst(value: unknown, search: unknown, replacement: unknown): string {
  const [text, searched] = [toText(value), toText(search)];
  const at = searched === '' ? -1 : text.indexOf(searched);
  if (at < 0) return text;
  return bounded(text.slice(0, at) + toText(replacement) + text.slice(at + searched.length));
}

/** Cuts a text, so that it has so many characters with what shows that it was cut. */
function truncate(value: unknown, length: unknown = 50, ellipsis: unknown = '…'): string {
  const [text, end] = [toText(value), toText(ellipsis)];
  const characters = [...text];
  const most = Math.max(0, toCount(length));
  if (characters.length <= most) return text;
  return bounded(characters.slice(0, Math.max(0, most - [...end].length)).join('') + end);
}

function truncateWords(value: unknown, count: unknown = 15, ellipsis: unknown = '…'): string {
  const words = strip(value).split(/\s+/);
  const most = Math.max(1, toCount(count));
  return words.length <= most ? toText(value) : bounded(words.slice(0, most).join(' ') + toText(ellipsis));
}

function split(value: unknown, separator: unknown = ' '): string[] {
  const text = toText(value);
  return text === '' ? [] : boundedList(text.split(toText(separator)));
}

/** A part of a text or a list; a negative start counts from the end. */
function slice(value: unknown, start: unknown, length: unknown = 1): unknown {
  const given = plain(value);
  const members = Array.isArray(given) ? given : [...toText(given)];
  const from = toCount(start) < 0 ? members.length + toCount(start) : toCount(start);
  const found = from < 0 ? [] : members.slice(from, from + Math.max(0, toCount(length)));
  return Array.isArray(given) ? found : found.join('');
}

function capitalize(value: unknown): string {
  const [first = '', ...rest] = [...toText(value)];
  return first.toUpperCase() + rest.join('').toLowerCase();
}

/** What is left without tags; one that is not closed goes on to the end. */
function stripHtml(value: unknown): string {
  const [first = '', ...rest] = toText(value).split('<');
  return first + rest.map((part) => (part.includes('>') ? part.slice(part.indexOf('>') + 1) : '')).join('');
}

export const TEXT_FILTERS = {
  upcase: (value: unknown) => bounded(toText(value).toUpperCase()),
  downcase: (value: unknown) => bounded(toText(value).toLowerCase()),
  capitalize,
  strip,
  lstrip: (value: unknown) => toText(value).trimStart(),
  rstrip: (value: unknown) => toText(value).trimEnd(),
  strip_newlines: (value: unknown) => toText(value).replace(/[\r\n]/g, ''),
  strip_html: stripHtml,
  truncate,
  truncatewords: truncateWords,
  replace,
  replace_first: replaceFirst,
  remove: (value: unknown, search: unknown) => replace(value, search, ''),
  remove_first: (value: unknown, search: unknown) => replaceFirst(value, search, ''),
  append: (value: unknown, end: unknown) => bounded(toText(value) + toText(end)),
  prepend: (value: unknown, start: unknown) => bounded(toText(start) + toText(value)),
  split,
  slice,
  // All that is printed is escaped for its place, so that this would do it twice.
  escape: toText,
  url_encode: (value: unknown) => bounded(encodeURIComponent(toText(value).toWellFormed())),
};
