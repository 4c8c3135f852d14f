/** Whether a value counts as given: an empty string does not. */
export function present<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** What an optional object holds; an empty list, as PHP encodes an empty map, holds nothing. */
export function mapOf(value: object | readonly unknown[] | null | undefined): Record<string, unknown> {
  return value && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
