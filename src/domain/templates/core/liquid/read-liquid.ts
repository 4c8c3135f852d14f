import { Tokenizer, TypeGuards } from 'liquidjs';
import { BOUNDS } from '../bounds.ts';
import type { TemplatePath } from '../compiled.ts';
import { problemOfPath } from '../paths.ts';
import type { Report } from '../problems.ts';
import { BLOCKS, beginningOf, isDividing } from './blocks.ts';
import { sourceEngine } from './engines.ts';
import { describeError, ExpressionReader, type Read } from './expressions.ts';
import { literally, nothingOf, type Piece, type Printing, writeOutput } from './piece.ts';
import { RAW, readArguments } from './tag-arguments.ts';
import type { OutputToken, TagToken, TopLevelToken } from './tokens.ts';

/** A text, the tags and outputs in it, and what they read. */
export interface LiquidText {
  source: string;
  pieces: readonly Piece[];
  paths: readonly TemplatePath[];
}

/** Characters that stand for Liquid while HTML is read. */
const PRIVATE_USE = /[\uE000-\uF8FF]/;

/**
 * Reads a text as tenants write it, and reports what is wrong; null where nothing can be done with it. `variables` are
 * known from what stands before it. `problemOf` says what may be read.
 */
export function readLiquid(
  source: string,
  report: Report,
  variables: Iterable<string> = [],
  problemOf: ProblemOf = problemOfPath,
): LiquidText | null {
  let isWell = true;
  const noting: Report = (finding) => {
    if (finding.severity !== 'warning') isWell = false;
    report(finding);
  };
  const tokens = readTokens(source, noting);
  if (!tokens) return null;
  const reader = new LiquidReader(source, noting, variables, problemOf);
  const text = reader.read(tokens);
  if (!text || !isWell) return null;
  try {
    sourceEngine.parse(source);
  } catch (error) {
    const [message, at] = describeError(error, 0);
    report({ code: 'syntax_error', message, at });
    return null;
  }
  return text;
}

function readTokens(source: string, report: Report): TopLevelToken[] | undefined {
  const refuse = (code: string, message: string, at: number | null): undefined =>
    report({ code, message, at }) as undefined;
  if (source.length > BOUNDS.source) {
    return refuse('too_large', `The text is longer than ${BOUNDS.source} characters`, null);
  }
  const unusable = PRIVATE_USE.exec(source) ?? /\0/.exec(source);
  if (unusable) return refuse('private_use_characters', 'The text has a character that means nothing', unusable.index);
  try {
    const tokens = new Tokenizer(source).readTopLevelTokens();
    const isTooMany = tokens.filter(TypeGuards.isDelimitedToken).length > BOUNDS.tags;
    return isTooMany ? refuse('too_many_tags', `The text has more than ${BOUNDS.tags} tags and outputs`, null) : tokens;
  } catch (error) {
    return refuse('syntax_error', ...describeError(error, 0));
  }
}

type ProblemOf = (path: readonly string[]) => string | undefined;

/** A block that is not ended yet. */
interface Open {
  piece: Piece;
  tag: string;
  variables: readonly string[];
  /** Paths that its conditions ask for. */
  asked: Set<string>;
  hasElse: boolean;
  /** What stands in it: all of a capture is one piece. */
  pieces: Piece[];
}

class LiquidReader {
  readonly #source: string;
  readonly #report: Report;
  readonly #open: Open[] = [];
  readonly #paths = new Map<string, TemplatePath>();
  readonly #variables: Set<string>;
  readonly #problemOf: ProblemOf;
  #pieces: Piece[] = [];

  constructor(source: string, report: Report, variables: Iterable<string>, problemOf: ProblemOf) {
    this.#source = source;
    this.#report = report;
    this.#variables = new Set(variables);
    this.#problemOf = problemOf;
  }

  read(tokens: readonly TopLevelToken[]): LiquidText | undefined {
    let skipped: TagToken | undefined;
    let isRaw = false;
    for (const token of tokens) {
      if (skipped) {
        if (TypeGuards.isTagToken(token) && token.name === 'endcomment') {
          const { trimLeft } = skipped;
          const written = nothingOf({ trimLeft, trimRight: token.trimRight });
          this.#add(skipped.begin, token.end, 'nothing', 'comment', () => written);
          skipped = undefined;
        }
      } else if (TypeGuards.isTagToken(token)) {
        if (token.name === 'comment') skipped = token;
        else if (token.name === 'raw' || token.name === 'endraw') {
          isRaw = token.name === 'raw';
          this.#add(token.begin, token.end, 'nothing', token.name, () => nothingOf(token));
        } else if (!this.#tag(token)) return undefined;
      } else if (TypeGuards.isOutputToken(token)) this.#output(token);
      else if (isRaw) this.#literals(token.begin, token.end);
    }
    const unclosed = skipped ?? this.#open.at(-1)?.piece;
    if (unclosed) {
      const name = skipped ? 'comment' : this.#open.at(-1)?.tag;
      return this.#fail('not_closed', `{% ${name} %} has no {% end${name} %}`, unclosed.begin);
    }
    return { source: this.#source, pieces: this.#pieces, paths: [...this.#paths.values()] };
  }

  /** False where it makes no sense to go on. */
  #tag(token: TagToken): boolean {
    const { name } = token;
    const beginning = beginningOf(name);
    if (beginning !== undefined) this.#end(token, beginning);
    else if (isDividing(name)) this.#divide(token);
    else if (BLOCKS.has(name)) return this.#begin(token);
    else if (name === 'assign') {
      const { reads, variables } = this.#arguments(token);
      for (const variable of variables) this.#variables.add(variable);
      this.#add(token.begin, token.end, 'nothing', name, () => token.getText(), { reads: this.#noted(reads) });
    } else if (name === 'break' || name === 'continue') this.#jump(token);
    else this.#fail('unknown_tag', `There is no tag “${name}”`, token.begin);
    return true;
  }

  #begin(token: TagToken): boolean {
    if (this.#open.length >= BOUNDS.nesting) {
      this.#fail('nested_too_deeply', `Tags stand in one another ${BOUNDS.nesting} deep at most`, token.begin);
      return false;
    }
    const { name } = token;
    const { reads, variables } = this.#arguments(token);
    const noted = this.#noted(reads);
    const isCapture = name === 'capture';
    const piece = this.#piece(token.begin, token.end, 'begin', name, () => token.getText(), { reads: noted });
    const isAsked = name !== 'for' && !isCapture;
    const asked = new Set(isAsked ? reads.map(({ path }) => keyOf(path)) : []);
    const inLoop = name === 'for' ? [...variables, 'forloop'] : [];
    if (!isCapture) this.#pieces.push(piece);
    this.#open.push({ piece, tag: name, variables: inLoop, asked, hasElse: false, pieces: this.#pieces });
    if (isCapture) {
      for (const variable of variables) this.#variables.add(variable);
      this.#pieces = [];
    }
    return true;
  }

  #divide(token: TagToken): undefined {
    const { name } = token;
    const open = this.#open.at(-1);
    if (!open || !BLOCKS.get(open.tag)?.includes(name)) {
      return this.#fail('unexpected_tag', `{% ${name} %} is not expected here`, token.begin);
    }
    if (open.hasElse) return this.#fail('unexpected_tag', `{% ${name} %} stands behind {% else %}`, token.begin);
    open.hasElse = name === 'else';
    const { reads } = this.#arguments(token);
    const noted = this.#noted(reads);
    for (const { path } of reads) open.asked.add(keyOf(path));
    this.#add(token.begin, token.end, 'middle', name, () => token.getText(), { block: open.piece, reads: noted });
  }

  #end(token: TagToken, beginning: string): undefined {
    this.#arguments(token);
    const open = this.#open.at(-1);
    if (!open || open.tag !== beginning) {
      const expected = open ? `; {% end${open.tag} %} is` : '';
      return this.#fail('unexpected_tag', `{% ${token.name} %} is not expected here${expected}`, token.begin);
    }
    this.#open.pop();
    if (open.tag !== 'capture') {
      this.#add(token.begin, token.end, 'end', token.name, () => token.getText(), { block: open.piece });
      return;
    }
    const inner = this.#pieces;
    this.#pieces = open.pieces;
    const written = writePieces(this.#source, inner, '_text', [open.piece.end, token.begin]);
    const code = open.piece.write('_text') + written + token.getText();
    this.#add(open.piece.begin, token.end, 'nothing', 'capture', () => code, {
      reads: inner.flatMap(({ reads }) => reads),
    });
  }

  #jump(token: TagToken): undefined {
    this.#arguments(token);
    const loop = this.#open.findLast(({ tag }) => tag === 'for' || tag === 'capture');
    if (loop?.tag !== 'for')
      return this.#fail('unexpected_tag', `{% ${token.name} %} stands in loops only`, token.begin);
    this.#add(token.begin, token.end, 'jump', token.name, () => token.getText(), { block: loop.piece });
  }

  #output(token: OutputToken): undefined {
    if (!this.#isShort(token)) return;
    const expression = new ExpressionReader(this.#source, token.contentRange, this.#report).filtered();
    if (!expression) return;
    const reads = this.#noted(expression.reads);
    const raws = expression.filters.filter(({ name }) => name === 'raw');
    const raw = raws[0];
    const isInCapture = this.#open.some(({ tag }) => tag === 'capture');
    if (raw && (raws.length > 1 || expression.filters.at(-1) !== raw || isInCapture)) {
      return this.#fail('raw_not_here', RAW, raw.begin);
    }
    const write = (printing: Printing) => writeOutput(token, raw?.begin, printing);
    this.#add(token.begin, token.end, 'output', 'output', write, { reads, isRaw: raw !== undefined });
  }

  /** What would be Liquid, were it not between `raw` and `endraw`. */
  #literals(begin: number, end: number): void {
    for (let at = this.#source.indexOf('{', begin); at >= 0 && at < end; at = this.#source.indexOf('{', at + 1)) {
      if (at + 1 < end && !'{%'.includes(this.#source[at + 1] as string)) continue;
      this.#add(at, at + 1, 'literal', 'raw', () => literally('{'));
    }
  }

  #arguments(token: TagToken) {
    if (!this.#isShort(token)) return { reads: [], variables: [] };
    const [, to] = token.contentRange;
    const reader = new ExpressionReader(this.#source, [to - token.args.length, to], this.#report);
    return readArguments(token.name, reader, this.#report);
  }

  #isShort({ begin, end }: { begin: number; end: number }): boolean {
    if (end - begin <= BOUNDS.tag) return true;
    this.#fail('too_large', `A tag or an output is longer than ${BOUNDS.tag} characters`, begin);
    return false;
  }

  /** Notes what is read of the data, and returns it. */
  #noted(reads: readonly Read[]): string[][] {
    return reads.flatMap(({ path, at, hasDefault }) => {
      const [root] = path;
      if (root === undefined || this.#isVariable(root)) return [];
      const problem = this.#problemOf(path);
      if (problem !== undefined) {
        this.#fail('unknown_path', problem, at);
        return [];
      }
      const key = keyOf(path);
      const isSafe = hasDefault || this.#open.some(({ asked }) => asked.has(key));
      this.#paths.set(key, { path, hasDefault: isSafe && (this.#paths.get(key)?.hasDefault ?? true) });
      return [path];
    });
  }

  #isVariable(name: string): boolean {
    return this.#variables.has(name) || this.#open.some(({ variables }) => variables.includes(name));
  }

  #piece(
    begin: number,
    end: number,
    role: Piece['role'],
    name: string,
    write: Piece['write'],
    more: Partial<Piece> = {},
  ): Piece {
    return { begin, end, role, name, block: undefined, reads: [], isRaw: false, ...more, write };
  }

  #add(
    begin: number,
    end: number,
    role: Piece['role'],
    name: string,
    write: Piece['write'],
    more: Partial<Piece> = {},
  ): void {
    this.#pieces.push(this.#piece(begin, end, role, name, write, more));
  }

  #fail(code: string, message: string, at: number): undefined {
    this.#report({ code, message, at });
  }
}

const keyOf = (path: readonly string[]) => JSON.stringify(path);

/** Writes a text, or a part of it, with its outputs as they are to be printed. */
export function writePieces(
  source: string,
  pieces: readonly Piece[],
  printing: Printing,
  [from, to]: readonly [number, number] = [0, source.length],
): string {
  let [written, at] = ['', from];
  for (const piece of pieces) {
    written += source.slice(at, piece.begin) + piece.write(printing);
    at = piece.end;
  }
  return written + source.slice(at, to);
}
