import { NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { TemplateProblem } from '../../../../../client/index.ts';
import { Several } from '../../../../components/several.tsx';
import { withOptional } from '../../../../components/with-optional.ts';
import type { TemplateBlock } from '../../../../definitions.ts';
import type { BlockLists } from './block-lists.ts';
import { BLOCK_TYPES, type Block, type BlockType } from './block-types.ts';
import { Fields } from './fields.tsx';

interface Props<Type extends BlockType> {
  block: Block<Type>;
  /** Its place in the draft, as `body.blocks[2]`. */
  field: string;
  problems: readonly TemplateProblem[];
  /** The types of the blocks that it is in. */
  within: readonly BlockType[];
  /** What shows the blocks within it. */
  List: BlockLists;
  onChange: (block: TemplateBlock) => void;
}

/** Changes one block. */
export function BlockForm({ block, ...props }: Omit<Props<BlockType>, 'block'> & { block: TemplateBlock }) {
  if (!(block.type in BLOCK_TYPES)) {
    return (
      <Text size="sm" c="dimmed">
        A later version has added this type of block. It is kept as it is, and can be moved or deleted.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Fields fields={BLOCK_TYPES[block.type].fields} value={block} onChange={props.onChange} />
      {block.type === 'columns' && <Columns block={block} {...props} />}
      {block.type === 'social' && <SocialLinks block={block} onChange={props.onChange} />}
      {block.type === 'repeat' && (
        <props.List
          label="What is repeated"
          blocks={block.blocks}
          field={`${props.field}.blocks`}
          problems={props.problems}
          within={[...props.within, block.type]}
          onChange={(blocks) => props.onChange({ ...block, blocks })}
        />
      )}
    </Stack>
  );
}

function Columns({ block, field, problems, within, List, onChange }: Props<'columns'>) {
  return (
    <Several
      label="Column"
      items={block.columns.map((column, n) => ({ column, n }))}
      onChange={(items) => onChange({ ...block, columns: items.map(({ column }) => column) })}
      add={{ 'Add a column': () => ({ column: { blocks: [] }, n: block.columns.length }) }}
      atLeast={2}
      atMost={4}
      render={({ column, n }, change) => (
        <>
          <NumberInput
            label="Width in percent"
            placeholder="A share of what the others leave"
            min={5}
            max={95}
            allowDecimal={false}
            value={column.width ?? ''}
            onChange={(width) =>
              change({ n, column: withOptional(column, 'width', typeof width === 'number' ? width : undefined) })
            }
          />
          <List
            label={`Blocks of column ${n + 1}`}
            blocks={column.blocks}
            field={`${field}.columns[${n}].blocks`}
            problems={problems}
            within={[...within, block.type]}
            onChange={(blocks) => change({ n, column: { ...column, blocks } })}
          />
        </>
      )}
    />
  );
}

function SocialLinks({ block, onChange }: Pick<Props<'social'>, 'block' | 'onChange'>) {
  return (
    <Several
      label="Link"
      items={block.links}
      onChange={(links) => onChange({ ...block, links })}
      add={{ 'Add a link': () => ({ name: '', url: '' }) }}
      atLeast={1}
      atMost={10}
      render={(link, change) => (
        <>
          <TextInput
            label="Text"
            placeholder="Instagram"
            maxLength={64}
            value={link.name}
            onChange={({ currentTarget }) => change({ ...link, name: currentTarget.value })}
          />
          <TextInput
            label="Where it leads"
            placeholder="https://"
            maxLength={2000}
            value={link.url}
            onChange={({ currentTarget }) => change({ ...link, url: currentTarget.value })}
          />
        </>
      )}
    />
  );
}
