/** What the values of a format look like where a `+` has become a space, and what they were. */
const RESTORE = {
  // No calling code begins with 0.
  phone: (value: string) => value.replace(/^ (?=[1-9])/, '+'),
  'idn-email': (value: string) => value.trim().replaceAll(' ', '+'),
  'date-time': (value: string) => value.replace(/(?<=:\d\d(?:\.\d+)?) (?=\d\d:?\d\d$)/, '+'),
} as const;
export type PlusFormat = keyof typeof RESTORE;

/**
 * Puts the `+` back that becomes a space in a query where clients do not encode it, in a value of a format that has no
 * spaces there.
 */
export function withPlusSigns(format: PlusFormat, value: string): string {
  return RESTORE[format](value);
}

export function mayHavePlusSigns(format: unknown): format is PlusFormat {
  return typeof format === 'string' && Object.hasOwn(RESTORE, format);
}
