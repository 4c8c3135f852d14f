import { NoEqual } from './expression.ts';

/** The letters of Django's dates, and the codes of strftime. */
const CODES: Readonly<Record<string, string>> = {
  d: '%d',
  j: '%-d',
  D: '%a',
  l: '%A',
  F: '%B',
  M: '%b',
  N: '%b',
  b: '%b',
  m: '%m',
  n: '%-m',
  y: '%y',
  Y: '%Y',
  o: '%Y',
  g: '%-I',
  G: '%-H',
  h: '%I',
  H: '%H',
  i: '%M',
  s: '%S',
  a: '%P',
  A: '%p',
  P: '%-I:%M %p',
  c: '%Y-%m-%dT%H:%M:%S%z',
  e: '%Z',
  T: '%Z',
  O: '%z',
  U: '%s',
};

/** `F j, Y` → `%B %-d, %Y`; one that has codes of strftime already stays. Throws `NoEqual`. */
export function toDateFormat(format: string): string {
  if (format.includes('%')) return format;
  return format.replaceAll(/\\(.)|([A-Za-z])/g, (_, escaped: string | undefined, letter: string) => {
    if (escaped !== undefined) return escaped;
    const code = CODES[letter];
    if (code === undefined) throw new NoEqual(`“${letter}” in the format of a date`);
    return code;
  });
}
