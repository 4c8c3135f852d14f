import { Context, toValueSync } from 'liquidjs';
import { TooLarge } from './bounds.ts';
import { compiledEngine } from './liquid/engines.ts';
import { ParsedTexts } from './liquid/parsed.ts';
import type { Printing } from './liquid/piece.ts';
import { readLiquid, writePieces } from './liquid/read-liquid.ts';
import { BoundedOutput, type Formats, type Rendering, setRendering } from './rendering.ts';

/** Characters of a short text before and after its values are filled in; and those that are kept read. */
export const MAX_SHORT_TEXT = 4_000;
const [MAX_OUTPUT, MAX_READ] = [64 * 1024, 500];
/** Characters that the filters of all texts of one step go through: a few milliseconds of work. */
export const MAX_WORK = 500_000;
const PARSED_BYTES = 8 * 1024 * 1024;

/** Liquid of a few values, as it may be filled in at once, without a thread: it has no loops. */
export interface ShortText {
  compiled: string;
  /** The values that it reads. */
  reads: readonly (readonly string[])[];
  problems: readonly string[];
}

const read = new Map<string, ShortText>();
const parsed = new ParsedTexts(PARSED_BYTES);

/** Reads a text. Where it has problems, nothing can be made of it. */
export function readShortText(source: string, printing: Printing = '_text'): ShortText {
  const key = `${printing} ${source}`;
  const known = read.get(key);
  if (known) return known;
  const made = readAnew(source, printing);
  read.set(key, made);
  if (read.size > MAX_READ) read.delete(read.keys().next().value as string);
  return made;
}

function readAnew(source: string, printing: Printing): ShortText {
  if (source.length > MAX_SHORT_TEXT) {
    return { compiled: '', reads: [], problems: [`must have no more than ${MAX_SHORT_TEXT} characters`] };
  }
  const problems: string[] = [];
  const text = readLiquid(
    source,
    ({ severity, message }) => {
      if (severity !== 'warning') problems.push(`can't be read as Liquid: ${message}`);
    },
    [],
    () => undefined,
  );
  const loops = text?.pieces.some(({ name }) => name === 'for' || name === 'capture');
  if (loops) problems.push('must have no {% for %} and no {% capture %}, which only templates of messages have');
  if (!text || problems.length > 0) return { compiled: '', reads: [], problems };
  return {
    compiled: writePieces(source, text.pieces, printing),
    reads: text.paths.map(({ path }) => path),
    problems: [],
  };
}

/** Fills in the values. `work` is shared by texts that are filled in together. Throws `TooLarge`. */
export function fillShortText(
  { compiled }: ShortText,
  data: Readonly<Record<string, unknown>>,
  formats: Formats,
  work: { left: number },
): string {
  if (!compiled.includes('{')) return compiled;
  const scope = Object.assign(Object.create(null), data);
  const context = new Context(scope, compiledEngine.options, { sync: true }, { liquid: compiledEngine });
  const rendering: Rendering = { formats, rounds: 0, link: undefined, untracked: new Set(), links: [], work };
  setRendering(context, rendering);
  const output = new BoundedOutput(MAX_OUTPUT);
  try {
    toValueSync(compiledEngine.renderer.renderTemplates(parsed.parse(compiled), context, output));
  } catch (error) {
    const cause = (error as { originalError?: unknown }).originalError ?? error;
    throw cause instanceof TooLarge ? cause : new Unfillable((cause as Error).message);
  }
  return output.buffer;
}

/** The values are not what its filters take. */
export class Unfillable extends Error {}
