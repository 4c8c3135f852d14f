/** What one template may cost; SECURITY.md names these. */
export const BOUNDS = {
  /** Characters of the source of a text, and of the HTML. */
  source: 204_800,
  /** Tags and outputs in a text. */
  tags: 2_000,
  /** Characters of one of them. */
  tag: 4_000,
  /** Tags within tags, as `if` in `for`. */
  nesting: 30,
  /** Elements within elements. */
  elements: 250,
  links: 1_000,
  /** Rounds of one loop, and of all loops of a text. */
  rounds: 500,
  allRounds: 5_000,
  /** Characters of a text after its values were filled in. */
  output: 524_288,
  /** Characters of a value that a filter or `capture` makes, and members of a list. */
  value: 102_400,
  list: 2_000,
  /** Characters of the data, and objects and lists within one another. */
  data: 65_536,
  depth: 40,
  /** Characters of HTML that `raw` lets through. */
  raw: 20_480,
  /** Characters of a subject and a preheader after their values were filled in. */
  subject: 250,
  preheader: 250,
  /** Segments of a text message; from how many on a warning says so. */
  segments: 10,
  manySegments: 4,
  /** Links of a message that are listed, after its values were filled in. */
  listed: 2_000,
  /** Bytes of HTML above which Gmail shows a part only. */
  clipped: 104_448,
} as const;

/** More than a bound allows was asked for, by the template with the values that it got. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** For a text that is not made yet. */
export function expectLength(length: number): void {
  if (length > BOUNDS.value) throw new TooLarge(`A value is longer than ${BOUNDS.value} characters`);
}

export function bounded(text: string): string {
  expectLength(text.length);
  return text;
}

export function boundedList<T>(list: T[]): T[] {
  if (list.length > BOUNDS.list) throw new TooLarge(`A list has more than ${BOUNDS.list} members`);
  return list;
}
