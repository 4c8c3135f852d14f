import { Parser } from 'htmlparser2';
import { BOUNDS } from '../bounds.ts';
import { TEXT_ONLY } from './rules.ts';

export interface Attribute {
  name: string;
  /** As in the source. */
  value: string;
  /** Its quotation mark; null without one, undefined without a value. */
  quote: string | null | undefined;
  /** Its first character, the first of its value, and the one behind that. */
  begin: number;
  valueBegin: number;
  valueEnd: number;
}

export interface Visitor {
  /** `end`: the character behind the tag. */
  open(name: string, attributes: Attribute[], begin: number, end: number): void;
  close(name: string): void;
  /** `element`: the one whose text is not HTML, and which of them it is. */
  text(text: string, element: { name: string; begin: number } | undefined): void;
  doctype(end: number): void;
}

/** HTML whose elements stand in one another too deeply. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** Reads HTML as browsers do, with the places of what is in it; entities stay. */
export function walkHtml(html: string, visitor: Visitor): void {
  let attributes: Attribute[] = [];
  let begin = 0;
  let depth = 0;
  let textOnly: { name: string; begin: number } | undefined;
  const parser = new Parser(
    {
      onopentagname() {
        begin = parser.startIndex;
        attributes = [];
      },
      onattribute(name, value, quote) {
        attributes.push(attributeAt(html, name, value, quote, parser.startIndex));
      },
      onopentag(name, _, isImplied) {
        depth += 1;
        if (depth > BOUNDS.elements) throw new TooDeep(`Elements stand in one another ${BOUNDS.elements} deep at most`);
        if (TEXT_ONLY.has(name)) textOnly = { name, begin };
        visitor.open(name, isImplied ? [] : attributes, begin, parser.endIndex + 1);
      },
      onclosetag(name) {
        depth -= 1;
        if (textOnly?.name === name) textOnly = undefined;
        visitor.close(name);
      },
      ontext: (text) => visitor.text(text, textOnly),
      onprocessinginstruction: () => visitor.doctype(parser.endIndex + 1),
    },
    { decodeEntities: false },
  );
  parser.end(html);
}

function attributeAt(html: string, name: string, value: string, quote: Attribute['quote'], begin: number): Attribute {
  // A name may begin with `=`, and has no other.
  const equals = html.indexOf('=', begin + 1);
  const valueBegin = quote ? html.indexOf(quote, equals) + 1 : html.indexOf(value, equals + 1);
  return { name, value, quote, begin, valueBegin, valueEnd: valueBegin + value.length };
}
