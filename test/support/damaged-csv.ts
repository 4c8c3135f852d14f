import fc, { type Arbitrary } from 'fast-check';

/** A file of customers, a line each, of which some row is damaged. */
export interface DamagedFile {
  text: string;
  /** The address of each row, as far as it can be read. */
  addresses: string[];
}

export type Which = 'first' | 'middle' | 'last';

/** What happens to the lines of files that are written by hand, cut off or edited by something that knows no quotes. */
const DAMAGES: readonly ((cells: readonly string[]) => string)[] = [
  ([email, ...rest]) => [email, '27" wide', ...rest.slice(1)].join(','),
  ([email, ...rest]) => [`"${email}"x`, ...rest].join(','),
  ([email, ...rest]) => [`"${email}`, ...rest].join(','),
  ([email, ...rest]) => [`${email}"`, ...rest].join(','),
  ([email, ...rest]) => [`""${email}""`, ...rest].join(','),
  ([email]) => `${email},"never closed`,
  ([email]) => `${email},"`,
  ([email, ...rest]) => `${[email, ...rest].join(',')},"`,
  ([email, ...rest]) => [email, '"""', ...rest.slice(1)].join(','),
  ([email]) => String(email),
  ([email, ...rest]) => [email, ...rest, 'one more'].join(','),
  ([, ...rest]) => ['no address', ...rest].join(','),
  ([, ...rest]) => ['', 'no address', ...rest.slice(1)].join(','),
  () => '"',
  () => '""""',
];

const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
const value = fc.constantFrom('', 'ok', '27', quoted('a, b'), quoted('5" pipe'), quoted(''), quoted('é 😀'));
const row = fc.tuple(fc.boolean(), value, value);

/** Files of which the first, a middle or the last row is damaged. */
export function damagedFiles(which: Which): Arbitrary<DamagedFile> {
  return fc
    .record({
      rows: fc.array(row, { minLength: 3, maxLength: 8 }),
      damage: fc.constantFrom(...DAMAGES),
      lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
      isEnded: fc.boolean(),
    })
    .map(({ rows, damage, lineBreak, isEnded }) => {
      const addresses = rows.map((_, i) => `c${i}@example.com`);
      const cells = rows.map(([isQuoted, a, b], i) => {
        const address = addresses[i] as string;
        return [isQuoted ? quoted(address) : address, a, b];
      });
      const at = { first: 0, middle: rows.length >> 1, last: rows.length - 1 }[which];
      const lines = cells.map((one, i) =>
        i === at ? damage([addresses[i] as string, ...one.slice(1)]) : one.join(','),
      );
      return { text: ['email,screen,note', ...lines].join(lineBreak) + (isEnded ? lineBreak : ''), addresses };
    });
}
