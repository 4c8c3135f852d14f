import type { Template } from 'liquidjs';
import { compiledEngine } from './engines.ts';

const MAX_BYTES = 64 * 1024 * 1024;
/** Of what a character of Liquid becomes, measured in templates that are nothing but Liquid, and of any other. */
const [BYTES_OF_LIQUID, BYTES_OF_TEXT] = [80, 2];

/** Compiled texts as they were parsed; what was used longest ago goes first. */
export class ParsedTexts {
  readonly #kept = new Map<string, { templates: Template[]; bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Parses a text, unless it was lately. */
  parse(text: string): Template[] {
    const known = this.#kept.get(text);
    if (known) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known.templates;
    }
    const entry = { templates: compiledEngine.parse(text), bytes: bytesOf(text) };
    this.#kept.set(text, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
    return entry.templates;
  }
}

function bytesOf(text: string): number {
  let liquid = 0;
  let end = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', end)) {
    end = text.indexOf('}', at);
    if (end < 0) break;
    liquid += end - at;
  }
  return liquid * BYTES_OF_LIQUID + (text.length - liquid) * BYTES_OF_TEXT;
}
