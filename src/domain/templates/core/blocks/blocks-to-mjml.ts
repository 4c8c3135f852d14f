import { escapeHtml } from '../escaping/escape.ts';
import { ROOTS } from '../paths.ts';
import { blockToMjml } from './block-to-mjml.ts';
import type { Block, ColumnsBlock, RepeatBlock, TemplateBlocks } from './blocks.ts';
import { headOf, lookOf } from './style.ts';
import { type BlockPath, type BlockProblem, BlockWriter } from './writer.ts';

/** Blocks of an e-mail, those within others included. */
const MAX_BLOCKS = 300;
const DEFAULT_LIMIT = 10;
/** What something else is called already. */
const RESERVED = new Set([...ROOTS, 'forloop', 'content', 'empty', 'blank', 'nil', 'true', 'false']);

export interface BlocksAsMjml {
  /** The whole document. */
  mjml: string;
  /** What stands in its `mj-head` and in its `mj-body`. */
  head: string;
  body: string;
  problems: BlockProblem[];
}

/** Turns blocks, which are of the right shape, into the source of MJML. Paths of problems begin at their root. */
export function blocksToMjml({ style, blocks }: TemplateBlocks, { lang }: { lang: string }): BlocksAsMjml {
  const look = lookOf(style);
  const writer = new BlockWriter(look);
  if (blocks.length === 0) writer.add(['blocks'], 'missing_blocks', 'An e-mail has at least one block');
  if (countOf(blocks) > MAX_BLOCKS) {
    writer.add(['blocks'], 'too_many_blocks', `An e-mail has ${MAX_BLOCKS} blocks at most, those in others included`);
    return { mjml: '', head: '', body: '', problems: writer.problems };
  }
  const head = headOf(look);
  const body = sections(blocks, ['blocks'], { isInRepeat: false }, writer);
  const mjml = `<mjml lang="${escapeHtml(lang)}">
<mj-head>
${head}
</mj-head>
<mj-body width="${look.width}px" background-color="${look.background}" css-class="page">
${body}
</mj-body>
</mjml>
`;
  return { mjml, head, body, problems: writer.problems };
}

function countOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + 1 + partsOf(block).reduce((all, part) => all + countOf(part), 0), 0);
}

function partsOf(block: Block): (readonly Block[])[] {
  if (block.type === 'columns') return block.columns.map(({ blocks }) => blocks);
  return block.type === 'repeat' ? [block.blocks] : [];
}

interface Within {
  isInRepeat: boolean;
}

/** What stands beside others has a section of its own; all else shares one, as a single column. */
function sections(blocks: readonly Block[], path: BlockPath, within: Within, writer: BlockWriter): string {
  const written: string[] = [];
  let column: string[] = [];
  const endColumn = () => {
    if (column.length > 0) written.push(section(`<mj-column>\n${column.join('\n')}\n</mj-column>`, writer));
    column = [];
  };
  blocks.forEach((block, i) => {
    const place = [...path, i];
    if (block.type === 'columns') {
      endColumn();
      written.push(columns(block, place, within, writer));
    } else if (block.type === 'repeat' && block.blocks.some(({ type }) => type === 'columns')) {
      endColumn();
      const inner = (parts: readonly Block[], at: BlockPath) => sections(parts, at, { isInRepeat: true }, writer);
      written.push(repeat(block, place, within, writer, inner));
    } else column.push(inColumn(block, place, within, writer));
  });
  endColumn();
  return written.join('\n');
}

function section(content: string, { look }: BlockWriter): string {
  return `<mj-section background-color="${look.content}" css-class="content" padding="0">\n${content}\n</mj-section>`;
}

function columns(block: ColumnsBlock, path: BlockPath, within: Within, writer: BlockWriter): string {
  const widths = block.columns.map(({ width }) => width);
  const known = widths.filter((width) => width !== undefined);
  const sum = known.reduce((all, width) => all + width, 0);
  const isWhole = known.length === widths.length ? sum === 100 : sum < 100;
  if (known.length > 0 && !isWhole) {
    writer.add([...path, 'columns'], 'invalid_widths', 'The widths of all columns add up to 100');
  }
  const rest = (100 - sum) / (widths.length - known.length);
  const written = block.columns.map(({ width = rest, blocks }, i) => {
    const content = blocks.map((one, k) => inColumn(one, [...path, 'columns', i, 'blocks', k], within, writer));
    return `<mj-column width="${Math.round(width * 100) / 100}%" vertical-align="top">\n${content.join('\n')}\n</mj-column>`;
  });
  return section(written.join('\n'), writer);
}

function inColumn(block: Block, path: BlockPath, within: Within, writer: BlockWriter): string {
  if (block.type === 'columns') {
    writer.add(path, 'invalid_nesting', 'Columns stand in no column');
    return '';
  }
  if (block.type !== 'repeat') return blockToMjml(block, path, writer);
  return repeat(block, path, within, writer, (parts, at) =>
    parts.map((part, k) => inColumn(part, [...at, k], { isInRepeat: true }, writer)).join('\n'),
  );
}

function repeat(
  { over, as: name = 'item', limit = DEFAULT_LIMIT, blocks }: RepeatBlock,
  path: BlockPath,
  { isInRepeat }: Within,
  writer: BlockWriter,
  inner: (blocks: readonly Block[], path: BlockPath) => string,
): string {
  if (isInRepeat) {
    writer.add(path, 'invalid_nesting', 'What is repeated has no repetition in it');
    return '';
  }
  if (RESERVED.has(name)) writer.add([...path, 'as'], 'reserved_name', `“${name}” is the name of something else`);
  if (over === '') {
    writer.add([...path, 'over'], 'missing_path', 'Where is the list?');
    return '';
  }
  if (blocks.length === 0) writer.add([...path, 'blocks'], 'missing_blocks', 'Nothing would be repeated');
  return `<mj-raw>{% for ${name} in ${writer.path(over, [...path, 'over'])} limit: ${limit} %}</mj-raw>
${writer.within(name, () => inner(blocks, [...path, 'blocks']))}
<mj-raw>{% endfor %}</mj-raw>`;
}
