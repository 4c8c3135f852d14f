/** An object of a page, or of JSON. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a copy that no later change by the page reaches; of what is not an object, or not JSON, an empty one. */
export function copyOf(value: unknown): Fields {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    return isFields(copy) ? copy : {};
  } catch {
    return {};
  }
}

/** 32 hexadecimal digits. Not `randomUUID`, which pages without HTTPS and older browsers lack. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
