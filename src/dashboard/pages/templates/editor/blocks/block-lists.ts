import type { ReactNode } from 'react';
import type { TemplateProblem } from '../../../../../client/index.ts';
import type { TemplateBlock } from '../../../../definitions.ts';
import type { BlockType } from './block-types.ts';

export interface BlockListProps {
  label: string;
  blocks: readonly TemplateBlock[];
  /** Their place in the draft, as `body.blocks`. */
  field: string;
  problems: readonly TemplateProblem[];
  /** The types of the blocks that they are in: none may be in one of its own type. */
  within?: readonly BlockType[];
  onChange: (blocks: TemplateBlock[]) => void;
}

/** Shows a list of blocks: blocks have lists of blocks, too. */
export type BlockLists = (props: BlockListProps) => ReactNode;
