import type {
  Block,
  ButtonBlock,
  ColumnsBlock,
  FooterBlock,
  HeadingBlock,
  HtmlBlock,
  ImageBlock,
  ProductBlock,
  RecommendBlock,
  RepeatBlock,
  SocialBlock,
} from './blocks.ts';
import type { BlockPath, BlockWriter } from './writer.ts';

/** What would end the text that names an item, be read as another letter of it, or become markup. */
const NOT_IN_NAMES = /["\\<>&]|[{%]%|[{]{2}|[}%]}/;
/** Items, where no number is asked for. */
const RECOMMENDED = 4;
const HEADING_SIZES = [28, 22, 18];
/** What would end the element that raw HTML is in. */
const MJML_TAG = /<\/?\s*mj-|<\/?mjml|\]\]>|<!\[CDATA\[/i;

/** A block that fills the width of its column, with nothing beside it. */
export function blockToMjml(
  block: Exclude<Block, ColumnsBlock | RepeatBlock>,
  path: BlockPath,
  writer: BlockWriter,
): string {
  switch (block.type) {
    case 'heading':
      return heading(block, path, writer);
    case 'text': {
      const attributes = textAttributes(block.align, block.color, block.size);
      return `<mj-text${attributes} css-class="words">${writer.markup(block.text, [...path, 'text'])}</mj-text>`;
    }
    case 'button':
      return button(block, path, writer);
    case 'image':
      return image(block, path, writer);
    case 'divider':
      return `<mj-divider border-width="${block.thickness ?? 1}px" border-color="${block.color ?? '#d0d4d9'}" />`;
    case 'spacer':
      return `<mj-spacer height="${block.height}px" />`;
    case 'product':
      return product(block, path, writer);
    case 'recommend':
      return recommend(block, path, writer);
    case 'social':
      return social(block, path, writer);
    case 'footer':
      return footer(block, path, writer);
    case 'html':
      return html(block, path, writer);
  }
}

function textAttributes(align?: string, color?: string, size?: number): string {
  return [align && ` align="${align}"`, color && ` color="${color}"`, size !== undefined && ` font-size="${size}px"`]
    .filter(Boolean)
    .join('');
}

function heading({ text, level = 2, align, color }: HeadingBlock, path: BlockPath, writer: BlockWriter): string {
  const attributes = textAttributes(align, color, HEADING_SIZES[level - 1]);
  const style = 'margin:0;font-size:inherit;line-height:1.25;font-weight:bold';
  return `<mj-text${attributes} line-height="1.25" css-class="words"><h${level} style="${style}">${writer.lines(text, [...path, 'text'])}</h${level}></mj-text>`;
}

function button(
  { text, url, align, color, text_color, full_width }: ButtonBlock,
  path: BlockPath,
  writer: BlockWriter,
) {
  const { look } = writer;
  if (text.trim() === '') writer.add([...path, 'text'], 'missing_text', 'A button says something');
  const width = full_width ? ' width="100%"' : '';
  return `<mj-button href="${writer.url(url, [...path, 'url'])}" align="${align ?? 'center'}" background-color="${color ?? look.button}" color="${text_color ?? look.buttonText}" font-size="16px" border-radius="4px"${width}>${writer.text(text, [...path, 'text'])}</mj-button>`;
}

function image({ url, alt, link, width, align }: ImageBlock, path: BlockPath, writer: BlockWriter): string {
  const href = link === undefined ? '' : ` href="${writer.url(link, [...path, 'link'])}"`;
  const size = width === undefined ? '' : ` width="${width}px"`;
  return `<mj-image src="${writer.url(url, [...path, 'url'])}" alt="${writer.text(alt, [...path, 'alt'])}" align="${align ?? 'center'}"${href}${size} />`;
}

/** What the object lacks is left out. */
function product(block: ProductBlock, path: BlockPath, writer: BlockWriter): string {
  const {
    item = 'item',
    image: picture = 'image_url',
    title = 'title',
    price = 'price',
    url = 'url',
    currency,
  } = block;
  if (item === '') {
    writer.add([...path, 'item'], 'missing_path', 'Where is the product?');
    return '';
  }
  writer.path(item, [...path, 'item']);
  const [src, name, cost, link] = [picture, title, price, url].map((member) => `${item}.${member}`);
  // Items of the catalog say in which currency they are sold.
  const own = `{% if ${item}.currency %}{{ ${cost} | money: ${item}.currency }}{% else %}{{ ${cost} }}{% endif %}`;
  const amount = currency === undefined ? own : `{{ ${cost} | money: "${currency}" }}`;
  const when = (path: string | undefined, mjml: string) =>
    `<mj-raw>{% if ${path} %}</mj-raw>\n${mjml}\n<mj-raw>{% endif %}</mj-raw>`;
  const parts = [
    when(src, `<mj-image src="{{ ${src} }}" alt="{{ ${name} | default: "" }}" href="{{ ${link} | default: "" }}" />`),
    `<mj-text align="center" css-class="words"><a href="{{ ${link} | default: "" }}" style="${writer.linkStyle}">{{ ${name} | default: "" }}</a>{% if ${cost} %}<br />${amount}{% endif %}</mj-text>`,
  ];
  if (block.button !== undefined) {
    const { look } = writer;
    parts.push(
      when(
        link,
        `<mj-button href="{{ ${link} }}" background-color="${look.button}" color="${look.buttonText}" font-size="16px" border-radius="4px">${writer.text(block.button, [...path, 'button'])}</mj-button>`,
      ),
    );
  }
  return parts.join('\n');
}

/** The first ones are of the kind that is asked for; each of the others says what it is. */
function recommend(block: RecommendBlock, path: BlockPath, writer: BlockWriter): string {
  const { kind, item, limit = RECOMMENDED, fallback = true, button: words } = block;
  if (item !== undefined && kind !== 'also_bought') {
    writer.add([...path, 'item'], 'item_not_taken', 'Only also_bought is about an item');
  }
  if (item !== undefined && NOT_IN_NAMES.test(item)) {
    writer.add(
      [...path, 'item'],
      'unnamable_item',
      'The id of an item with quotation marks, backslashes, braces, < > or & is taken in events only',
    );
    return '';
  }
  const list = item === undefined ? kind : `also_bought_with["${item}"]`;
  const shown: ProductBlock = { type: 'product', ...(words !== undefined && { button: words }) };
  const each = writer.within('item', () => product(shown, path, writer));
  const only = (mjml: string) =>
    `<mj-raw>{% if item.because == "${kind}" %}</mj-raw>\n${mjml}\n<mj-raw>{% endif %}</mj-raw>`;
  return `<mj-raw>{% for item in recommended.${list} limit: ${limit} %}</mj-raw>
${fallback ? each : only(each)}
<mj-raw>{% endfor %}</mj-raw>`;
}

function social({ links, align }: SocialBlock, path: BlockPath, writer: BlockWriter): string {
  const anchors = links.map(
    ({ name, url }, i) =>
      `<a href="${writer.url(url, [...path, 'links', i, 'url'])}" style="${writer.linkStyle}">${writer.text(name, [...path, 'links', i, 'name'])}</a>`,
  );
  return `<mj-text align="${align ?? 'center'}" css-class="words">${anchors.join(' &#183; ')}</mj-text>`;
}

function footer(block: FooterBlock, path: BlockPath, writer: BlockWriter): string {
  const { text, unsubscribe = 'Unsubscribe', preferences = 'Preferences', view } = block;
  const style = 'color:inherit;text-decoration:underline';
  const link = (name: string, words: string) =>
    `<a href="{{ ${name}_url }}" style="${style}" data-track="off">${writer.text(words, [...path, name])}</a>`;
  const links = [
    link('unsubscribe', unsubscribe),
    link('preferences', preferences),
    ...(view === undefined ? [] : [link('view', view)]),
  ];
  const words = text === undefined ? '' : writer.markup(text, [...path, 'text'], style);
  return `<mj-text align="center" color="#6b7280" font-size="12px" css-class="words">${words}<p style="margin:1em 0;white-space:pre-line">{{ store.postal_address }}</p><p style="margin:0">${links.join(' &#183; ')}</p></mj-text>`;
}

function html({ html: source }: HtmlBlock, path: BlockPath, writer: BlockWriter): string {
  if (MJML_TAG.test(source)) {
    writer.add([...path, 'html'], 'mjml_in_html', 'Elements of MJML stand in no HTML');
    return '';
  }
  return `<mj-text padding="0">${writer.html(source, [...path, 'html'])}</mj-text>`;
}
