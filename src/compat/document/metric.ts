/** Maximum characters of an event type, as on the native surface. */
const MAX_LENGTH = 128;

/** Converts a metric's name to an event type: `Placed Order`, `PlacedOrder` and `placed-order` → `placed_order`. */
export function toEventType(name: string): string {
  const snake = name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  // A name made up only of symbols, such as 🎉, is its own event type.
  const type = snake || name;
  return type.length <= MAX_LENGTH ? type : [...type].slice(0, MAX_LENGTH).join('');
}
