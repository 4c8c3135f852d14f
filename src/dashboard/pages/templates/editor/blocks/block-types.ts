import type { TemplateBlock, TemplateBlocks } from '../../../../definitions.ts';

export type BlockType = TemplateBlock['type'];
export type Block<Type extends BlockType> = Extract<TemplateBlock, { type: Type }>;

/** A field of the form of a block. What is optional is left out where it is empty. */
export interface BlockField {
  name: string;
  label: string;
  description?: string;
  input: 'line' | 'text' | 'code' | 'color' | 'align' | 'number' | 'switch' | 'level' | 'recommendation';
  /** Of a switch: whether it is on where it is left out. */
  usually?: boolean;
  isOptional?: true;
  /** Of which blocks it is a field: those with this value of another. */
  onlyFor?: Readonly<Record<string, unknown>>;
  placeholder?: string;
  maxLength?: number;
  min?: number;
  max?: number;
}

const line = (name: string, label: string, more: Partial<BlockField> = {}): BlockField => ({
  name,
  label,
  input: 'line',
  ...more,
});
const url = (name: string, label: string, more: Partial<BlockField> = {}) =>
  line(name, label, { maxLength: 2000, placeholder: 'https://shop.example/', ...more });
const number = (name: string, label: string, min: number, max: number, more: Partial<BlockField> = {}): BlockField => ({
  name,
  label,
  input: 'number',
  min,
  max,
  isOptional: true,
  ...more,
});
const color = (name = 'color', label = 'Colour'): BlockField => ({ name, label, input: 'color', isOptional: true });
const align: BlockField = { name: 'align', label: 'Where it stands', input: 'align', isOptional: true };
const member = (name: string, label: string, usual: string) =>
  line(name, label, { placeholder: usual, maxLength: 64, isOptional: true });

const MARKUP =
  'An empty line ends a paragraph; lines that begin with - are a list. **bold**, *italic*, [link](https://…).';

/** What a block recommends. */
export const RECOMMENDATIONS: Readonly<Record<Block<'recommend'>['kind'], string>> = {
  best_sellers: 'What sells best',
  also_bought: 'What others bought with it',
  recently_viewed: 'What the customer looked at last',
  buy_again: 'What the customer ordered before',
};

/** What each type of block is called, and the fields of its form, but for blocks and links that it has of its own. */
export const BLOCK_TYPES: Readonly<Record<BlockType, { name: string; fields: readonly BlockField[] }>> = {
  heading: {
    name: 'Heading',
    fields: [
      line('text', 'Text', { maxLength: 1000 }),
      { name: 'level', label: 'Size', input: 'level', isOptional: true },
      align,
      color(),
    ],
  },
  text: {
    name: 'Text',
    fields: [
      { name: 'text', label: 'Text', input: 'text', maxLength: 10_000, description: MARKUP },
      align,
      color(),
      number('size', 'Size in pixels', 10, 40, { placeholder: '16' }),
    ],
  },
  button: {
    name: 'Button',
    fields: [
      line('text', 'Text', { maxLength: 200 }),
      url('url', 'Where it leads'),
      align,
      color(),
      color('text_color', 'Colour of the text'),
      { name: 'full_width', label: 'As wide as there is room', input: 'switch', isOptional: true },
    ],
  },
  image: {
    name: 'Image',
    fields: [
      url('url', 'Where the image is'),
      line('alt', 'What is to be seen', {
        maxLength: 500,
        description: 'For those who do not see it; empty if it only decorates.',
      }),
      url('link', 'Where it leads', { isOptional: true }),
      number('width', 'Width in pixels', 8, 800),
      align,
    ],
  },
  columns: { name: 'Columns', fields: [] },
  divider: {
    name: 'Line',
    fields: [color(), number('thickness', 'Thickness in pixels', 1, 20, { placeholder: '1' })],
  },
  spacer: { name: 'Space', fields: [{ name: 'height', label: 'Height in pixels', input: 'number', min: 4, max: 200 }] },
  product: {
    name: 'Product',
    fields: [
      line('item', 'Where it is in the data', {
        maxLength: 255,
        placeholder: 'item',
        isOptional: true,
        description: 'Such as event.properties.items[0]; in a repetition, each of its list.',
      }),
      member('title', 'What its name is called', 'title'),
      member('image', 'What the URL of its image is called', 'image_url'),
      member('price', 'What its price is called', 'price'),
      member('url', 'What the URL of its page is called', 'url'),
      line('currency', 'Currency of the price', { placeholder: 'EUR', maxLength: 3, isOptional: true }),
      line('button', 'Button that leads to its page', { placeholder: 'No button', maxLength: 200, isOptional: true }),
    ],
  },
  recommend: {
    name: 'Recommendations',
    fields: [
      { name: 'kind', label: 'What is recommended', input: 'recommendation' },
      line('item', 'Bought with this item', {
        placeholder: 'TEA-1',
        description:
          'Its id or SKU. Without one, it is the item that the message is about, or else what the customer ordered last.',
        maxLength: 255,
        isOptional: true,
        onlyFor: { kind: 'also_bought' },
      }),
      number('limit', 'How many at most', 1, 12, { placeholder: '4' }),
      {
        name: 'fallback',
        label: 'Best sellers where there are too few',
        input: 'switch',
        isOptional: true,
        usually: true,
      },
      line('button', 'Button that leads to each page', { placeholder: 'No button', maxLength: 200, isOptional: true }),
    ],
  },
  repeat: {
    name: 'Repetition',
    fields: [
      line('over', 'Where the list is in the data', { maxLength: 255, placeholder: 'event.properties.items' }),
      member('as', 'What each of it is called', 'item'),
      number('limit', 'How many at most', 1, 50, { placeholder: '10' }),
    ],
  },
  social: { name: 'Links elsewhere', fields: [align] },
  footer: {
    name: 'Footer',
    fields: [
      {
        name: 'text',
        label: 'Text before the address',
        input: 'text',
        maxLength: 2000,
        isOptional: true,
        description: MARKUP,
      },
      line('unsubscribe', 'Link to unsubscribe', { placeholder: 'Unsubscribe', maxLength: 100, isOptional: true }),
      line('preferences', 'Link to the preferences', { placeholder: 'Preferences', maxLength: 100, isOptional: true }),
      line('view', 'Link that shows it as a page', { placeholder: 'No link', maxLength: 100, isOptional: true }),
    ],
  },
  html: { name: 'HTML', fields: [{ name: 'html', label: 'HTML', input: 'code', maxLength: 50_000 }] },
};

/** A block of a type as it begins. */
export function newBlock(type: BlockType): TemplateBlock {
  switch (type) {
    case 'heading':
    case 'text':
      return { type, text: '' };
    case 'button':
      return { type, text: '', url: '' };
    case 'image':
      return { type, url: '', alt: '' };
    case 'columns':
      return { type, columns: [{ blocks: [] }, { blocks: [] }] };
    case 'spacer':
      return { type, height: 24 };
    case 'repeat':
      return { type, over: '', blocks: [{ type: 'product' }] };
    case 'social':
      return { type, links: [{ name: '', url: '' }] };
    case 'html':
      return { type, html: '' };
    case 'recommend':
      return { type, kind: 'best_sellers' };
    case 'divider':
    case 'product':
    case 'footer':
      return { type };
  }
}

/** What is in a block, in a few words. */
export function blockWords(block: TemplateBlock): string {
  switch (block.type) {
    case 'heading':
    case 'button':
    case 'text':
      return block.text;
    case 'image':
      return block.alt || block.url;
    case 'columns':
      return block.columns.map(({ blocks }) => blocks.map(nameOf).join(', ') || 'nothing').join(' | ');
    case 'spacer':
      return `${block.height} pixels`;
    case 'product':
      return block.item ?? 'item';
    case 'recommend':
      return `${RECOMMENDATIONS[block.kind]}${block.item === undefined ? '' : `: ${block.item}`}`;
    case 'repeat':
      return `${block.blocks.map(nameOf).join(', ') || 'nothing'}, for each of ${block.over || '…'}`;
    case 'social':
      return block.links.map(({ name }) => name).join(', ');
    case 'footer':
      return block.text ?? '';
    default:
      return '';
  }
}

/** The name of a type; of one that a later version has added, what the API calls it. */
export const nameOf = ({ type }: { type: string }): string =>
  (BLOCK_TYPES as Readonly<Record<string, { name: string }>>)[type]?.name ?? type;

export const FONTS: readonly NonNullable<NonNullable<TemplateBlocks['style']>['font']>[] = [
  ...(['arial', 'courier', 'georgia', 'helvetica', 'tahoma', 'times', 'trebuchet', 'verdana'] as const),
];

const COLORS: readonly BlockField[] = [
  color('background_color', 'Around the content'),
  color('content_color', 'Behind the content'),
  color('text_color', 'Texts and headings'),
  color('link_color', 'Links'),
];
/** The fields of how all blocks look. */
export const STYLE_FIELDS: readonly BlockField[] = [
  number('width', 'Width of the content in pixels', 320, 800, { placeholder: '600' }),
  ...COLORS,
  color('button_color', 'Buttons'),
  color('button_text_color', 'What buttons say'),
];
/** The same for readers who prefer it dark. */
export const DARK_FIELDS: readonly BlockField[] = COLORS;
