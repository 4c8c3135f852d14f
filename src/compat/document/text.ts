/** Whether a value counts as given; an empty string does not. */
export function present<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');
}

/** Returns a number as the text that it was before an encoder such as PHP's made it a number; anything else as it is. */
export function asText<Value>(value: Value): Exclude<Value, number> | string {
  return typeof value === 'number' ? String(value) : (value as Exclude<Value, number>);
}

/** Returns an optional object, or `{}` for an empty list, which is how PHP encodes an empty map. */
export function mapOf(value: object | readonly unknown[] | null | undefined): Record<string, unknown> {
  return value && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
