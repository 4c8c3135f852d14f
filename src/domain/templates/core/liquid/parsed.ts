import type { Template } from 'liquidjs';
import { compiledEngine } from './engines.ts';

/**
 * Characters of texts that are kept as they were parsed. What is parsed takes several times as much memory as its text,
 * so that all of it is 64 MB or less.
 */
const MAX_CHARACTERS = 8 * 1024 * 1024;

const parsed = new Map<string, Template[]>();
let characters = 0;

/** Parses a compiled text, unless it was lately; what was used longest ago goes first. */
export function parseCompiled(text: string): Template[] {
  const known = parsed.get(text);
  if (known) {
    parsed.delete(text);
    parsed.set(text, known);
    return known;
  }
  const templates = compiledEngine.parse(text);
  parsed.set(text, templates);
  characters += text.length;
  for (const oldest of parsed.keys()) {
    if (characters <= MAX_CHARACTERS || oldest === text) break;
    parsed.delete(oldest);
    characters -= oldest.length;
  }
  return templates;
}
