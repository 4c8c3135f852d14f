import {
  CaptureTag,
  type Context,
  type Emitter,
  evalTokenValue,
  ForTag,
  type Liquid,
  type Parser,
  type RangeToken,
  Tag,
  type TagToken,
  type Template,
  type Token,
  TokenKind,
  type TopLevelToken,
  TypeGuards,
} from 'liquidjs';
import { BOUNDS, TooLarge } from '../bounds.ts';
import { escapeHtml } from '../escaping/escape.ts';
import { isWebUrl, safeUrl } from '../escaping/urls.ts';
import { BoundedOutput, renderingOf } from '../rendering.ts';
import { toCount, toMembers, toNumber } from '../values.ts';
import { tidyText } from './tidy-text.ts';

export function isRange(token: Token): token is RangeToken {
  return token.kind === TokenKind.Range;
}

/** A loop whose rounds are counted, whether there is anything in them or not. */
export class BoundedFor extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, Template[]> {
    const members = yield* this.#members(context);
    const renderer = this.liquid.renderer;
    if (members.length === 0) {
      yield renderer.renderTemplates(this.elseTemplates, context, emitter);
      return;
    }
    if (members.length > BOUNDS.rounds) throw new TooLarge(`A loop has more than ${BOUNDS.rounds} rounds`);
    const rendering = renderingOf(context);
    const scope: Record<string, unknown> = Object.create(null);
    context.push(scope);
    for (const [i, member] of members.entries()) {
      rendering.rounds += 1;
      if (rendering.rounds > BOUNDS.allRounds) throw new TooLarge(`Loops have more than ${BOUNDS.allRounds} rounds`);
      scope.forloop = positionOf(i, members.length);
      scope[this.variable] = member;
      context.continueCalled = false;
      context.breakCalled = false;
      yield renderer.renderTemplates(this.templates, context, emitter);
      if (context.breakCalled) break;
    }
    context.continueCalled = false;
    context.breakCalled = false;
    context.pop();
  }

  *#members(context: Context): Generator<unknown, unknown[], unknown> {
    const { collection } = this;
    const all = isRange(collection)
      ? rangeOf(yield evalTokenValue(collection.lhs, context), yield evalTokenValue(collection.rhs, context))
      : toMembers(yield evalTokenValue(collection, context));
    const hash = (yield this.hash.render(context)) as { offset?: unknown; limit?: unknown; reversed?: unknown };
    const from = hash.offset === undefined ? 0 : Math.max(0, toCount(hash.offset));
    const to = hash.limit === undefined ? all.length : from + Math.max(0, toCount(hash.limit));
    const members = all.slice(from, to);
    return hash.reversed ? members.reverse() : members;
  }
}

/** Whole numbers that a step of 1 leads through, which it does not above 2^53. */
function rangeOf(first: unknown, last: unknown): number[] {
  const [from, to] = [Math.trunc(toNumber(first)), Math.trunc(toNumber(last))];
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to - from >= BOUNDS.rounds) {
    throw new TooLarge(`A loop has more than ${BOUNDS.rounds} rounds`);
  }
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

/** A value like others, of which templates read own properties only. */
function positionOf(i: number, length: number): Readonly<Record<string, unknown>> {
  return Object.assign(Object.create(null), {
    index: i + 1,
    index0: i,
    rindex: length - i,
    rindex0: length - i - 1,
    first: i === 0,
    last: i === length - 1,
    length,
  });
}

export class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const output = new BoundedOutput(BOUNDS.value);
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    context.bottom()[this.variable] = output.buffer;
  }
}

/** What stands between a tag of ours and its end. */
abstract class Block extends Tag {
  readonly templates: Template[] = [];

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    const stream = parser
      .parseStream(rest)
      .on(`tag:end${token.name}`, () => stream.stop())
      .on('template', (template: Template) => this.templates.push(template))
      .on('end', () => {
        throw new Error(`tag ${token.name} not closed`);
      });
    stream.start();
  }

  /** The text between them where it has no Liquid, as most links. */
  protected get fixed(): string | undefined {
    const texts = this.templates.map(({ token }) => (TypeGuards.isHTMLToken(token) ? token.getContent() : undefined));
    return texts.includes(undefined) ? undefined : texts.join('');
  }

  protected *rendered(context: Context): Generator<unknown, string, string> {
    const output = new BoundedOutput();
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    return output.buffer;
  }
}

/**
 * A URL: `{% _url 3 html %}` in an attribute, and `{% _url 3 text %}` behind the text of a link; with the number of the
 * link, 0 where nobody follows it. What is not safe is `#` for a link and nothing for an image.
 */
export class UrlBlock extends Block {
  readonly #number: number;
  readonly #isHtml: boolean;
  /** The URL, if it is the same for all. */
  readonly #fixed: { url: string | undefined } | undefined;

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    const [number, kind] = token.args.trim().split(' ');
    this.#number = Number(number);
    this.#isHtml = kind === 'html';
    const { fixed } = this;
    this.#fixed = fixed === undefined ? undefined : { url: safeUrl(fixed) };
  }

  override render(context: Context): string | Generator<unknown, string, string> {
    return this.#fixed ? this.#written(this.#fixed.url, context) : this.#render(context);
  }

  *#render(context: Context): Generator<unknown, string, string> {
    return this.#written(safeUrl(yield* this.rendered(context)), context);
  }

  #written(safe: string | undefined, context: Context): string {
    const url = followed(safe, this.#number, this.#isHtml, context);
    if (this.#isHtml) return escapeHtml(url);
    return url === '#' ? '' : ` (${url})`;
  }
}

function followed(url: string | undefined, number: number, isListed: boolean, context: Context): string {
  if (url === undefined) return number === 0 ? '' : '#';
  if (number === 0) return url;
  const { link, links, untracked } = renderingOf(context);
  if (isListed && links.length < BOUNDS.listed && !links.some((one) => one.number === number && one.url === url))
    links.push({ number, url });
  return link && isWebUrl(url) && !untracked.has(number) ? link(number, url) : url;
}

/** A text part that was made of HTML. */
export class TidyBlock extends Block {
  override *render(context: Context): Generator<unknown, string, string> {
    return tidyText(yield* this.rendered(context));
  }
}
