const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes for the text of an element and for the value of an attribute in quotes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] as string);
}
