/** An e-mail as a list of blocks, as the contract has it; texts and URLs may contain Liquid. */
export interface TemplateBlocks {
  style?: BlockStyle;
  blocks: readonly Block[];
}

export type Font = 'arial' | 'courier' | 'georgia' | 'helvetica' | 'tahoma' | 'times' | 'trebuchet' | 'verdana';
export type Align = 'left' | 'center' | 'right';

export interface BlockStyle {
  /** Pixels of the content, where the screen has as many. */
  width?: number;
  font?: Font;
  /** Around the content, and of it. Colours are `#rrggbb`. */
  background_color?: string;
  content_color?: string;
  text_color?: string;
  link_color?: string;
  button_color?: string;
  button_text_color?: string;
  /** For readers who prefer it dark; buttons stay as they are. */
  dark?: { background_color?: string; content_color?: string; text_color?: string; link_color?: string };
}

export interface HeadingBlock {
  type: 'heading';
  text: string;
  level?: number;
  align?: Align;
  color?: string;
}

export interface TextBlock {
  type: 'text';
  /** Paragraphs, lists, `**bold**`, `*italic*` and `[links](https://…)`. */
  text: string;
  align?: Align;
  color?: string;
  /** Pixels. */
  size?: number;
}

export interface ButtonBlock {
  type: 'button';
  text: string;
  url: string;
  align?: Align;
  color?: string;
  text_color?: string;
  full_width?: boolean;
}

export interface ImageBlock {
  type: 'image';
  url: string;
  /** Empty for what only decorates. */
  alt: string;
  link?: string;
  /** Pixels; by default as wide as there is room. */
  width?: number;
  align?: Align;
}

export interface ColumnsBlock {
  type: 'columns';
  columns: readonly Column[];
}

export interface Column {
  /** Percent. */
  width?: number;
  blocks: readonly Block[];
}

export interface DividerBlock {
  type: 'divider';
  color?: string;
  /** Pixels. */
  thickness?: number;
}

export interface SpacerBlock {
  type: 'spacer';
  /** Pixels. */
  height: number;
}

export interface ProductBlock {
  type: 'product';
  /** The path of an object, as `item`, the default, or `event.properties`. */
  item?: string;
  /** The names of its members. */
  image?: string;
  title?: string;
  price?: string;
  url?: string;
  /** ISO 4217; without one the price is shown as it is. */
  currency?: string;
  /** On a button that leads to it. */
  button?: string;
}

export interface RecommendBlock {
  type: 'recommend';
  kind: 'also_bought' | 'best_sellers' | 'buy_again' | 'recently_viewed';
  /** The item that `also_bought` is about; by default that of the event. */
  item?: string;
  limit?: number;
  /** Whether best sellers follow where there are too few; by default they do. */
  fallback?: boolean;
  /** On a button that leads to each. */
  button?: string;
}

export interface RepeatBlock {
  type: 'repeat';
  /** The path of a list, as `event.properties.items`. */
  over: string;
  /** What each of it is called in the blocks. */
  as?: string;
  limit?: number;
  blocks: readonly Block[];
}

export interface SocialBlock {
  type: 'social';
  links: readonly { name: string; url: string }[];
  align?: Align;
}

export interface FooterBlock {
  type: 'footer';
  /** Before the address, in the markup of texts. */
  text?: string;
  /** What the links say. */
  unsubscribe?: string;
  preferences?: string;
  view?: string;
}

export interface HtmlBlock {
  type: 'html';
  html: string;
}

export type Block =
  | HeadingBlock
  | TextBlock
  | ButtonBlock
  | ImageBlock
  | ColumnsBlock
  | DividerBlock
  | SpacerBlock
  | ProductBlock
  | RecommendBlock
  | RepeatBlock
  | SocialBlock
  | FooterBlock
  | HtmlBlock;
