import { TypeGuards } from 'liquidjs';
import { BOUNDS } from '../bounds.ts';
import { ROOTS } from '../paths.ts';
import type { Report } from '../problems.ts';
import type { ExpressionReader, Read } from './expressions.ts';
import type { Token } from './tokens.ts';

/** What a tag reads, and the variables that it makes. */
export interface TagArguments {
  reads: Read[];
  variables: string[];
}

type ReadArguments = (reader: ExpressionReader, report: Report) => TagArguments;

const FOR_OPTIONS = ['limit', 'offset', 'reversed'];

/** By the name of the tag. What is not here takes nothing. */
const ARGUMENTS: Readonly<Record<string, ReadArguments>> = {
  if: condition,
  elsif: condition,
  unless: condition,
  case: condition,
  when: choices,
  assign: assignment,
  capture: (reader, report) => {
    const name = reader.name();
    reader.end();
    return { reads: [], variables: variable(name, report) };
  },
  for: loop,
};

export function readArguments(tag: string, reader: ExpressionReader, report: Report): TagArguments {
  const read = ARGUMENTS[tag];
  if (read) return read(reader, report);
  reader.end();
  return { reads: [], variables: [] };
}

function filtered(reader: ExpressionReader, report: Report): Read[] {
  const expression = reader.filtered();
  for (const { name, begin } of expression?.filters ?? []) {
    if (name === 'raw') report({ code: 'raw_not_here', message: RAW, at: begin });
  }
  return expression?.reads ?? [];
}

export const RAW = '“raw” is the last filter of an output';

function condition(reader: ExpressionReader, report: Report): TagArguments {
  return { reads: filtered(reader, report).map((read) => ({ ...read, hasDefault: true })), variables: [] };
}

function choices(reader: ExpressionReader, report: Report): TagArguments {
  const reads: Read[] = [];
  const { tokenizer } = reader;
  for (;;) {
    const value = reader.value();
    if (!value) break;
    reads.push(...reader.readsOf(value, true));
    tokenizer.skipBlank();
    if (tokenizer.end()) break;
    if (tokenizer.peek() === ',') tokenizer.advance();
    else if (tokenizer.readIdentifier().content !== 'or') {
      report({ code: 'syntax_error', message: 'Values are separated by “,” or “or”', at: tokenizer.p });
      break;
    }
  }
  return { reads, variables: [] };
}

function assignment(reader: ExpressionReader, report: Report): TagArguments {
  const variables = variable(reader.name(), report);
  reader.tokenizer.skipBlank();
  if (reader.tokenizer.peek() !== '=') {
    report({ code: 'syntax_error', message: '“=” is missing', at: reader.tokenizer.p });
    return { reads: [], variables };
  }
  reader.tokenizer.advance();
  return { reads: filtered(reader, report), variables };
}

function loop(reader: ExpressionReader, report: Report): TagArguments {
  const variables = variable(reader.name(), report);
  const at = reader.tokenizer.p;
  if (reader.name()?.content !== 'in') {
    report({ code: 'syntax_error', message: 'A loop is written as {% for item in list %}', at });
    return { reads: [], variables };
  }
  const reads = collection(reader.value(), reader, report);
  for (const { name, value, begin } of reader.tokenizer.readHashes(':')) {
    if (!FOR_OPTIONS.includes(name.content)) {
      report({ code: 'syntax_error', message: `A loop has no “${name.content}”`, at: begin });
    } else reads.push(...reader.readsOf(value, true));
  }
  reader.end();
  return { reads, variables };
}

function collection(token: Token | undefined, reader: ExpressionReader, report: Report): Read[] {
  if (!TypeGuards.isRangeToken(token)) return reader.readsOf(token, false);
  const { lhs, rhs, begin } = token;
  const [from, to] = [lhs, rhs].map((end) => (TypeGuards.isNumberToken(end) ? end.content : undefined));
  if (from !== undefined && to !== undefined && !(to - from < BOUNDS.rounds)) {
    report({ code: 'too_many_rounds', message: `A loop has ${BOUNDS.rounds} rounds at most`, at: begin });
  }
  return [lhs, rhs].flatMap((end) => reader.readsOf(end, true));
}

function variable(name: { content: string; begin: number } | undefined, report: Report): string[] {
  if (!name) return [];
  if (ROOTS.has(name.content) || name.content === 'forloop') {
    report({ code: 'name_taken', message: `“${name.content}” is the name of other values`, at: name.begin });
  }
  return [name.content];
}
