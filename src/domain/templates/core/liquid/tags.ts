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
  readonly argument: string;

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    this.argument = token.args.trim();
    const stream = parser
      .parseStream(rest)
      .on(`tag:end${token.name}`, () => stream.stop())
      .on('template', (template: Template) => this.templates.push(template))
      .on('end', () => {
        throw new Error(`tag ${token.name} not closed`);
      });
    stream.start();
  }

  protected abstract written(text: string, context: Context): string;

  *render(context: Context, emitter: Emitter): Generator<unknown, void, string> {
    const output = new BoundedOutput();
    yield this.liquid.renderer.renderTemplates(this.templates, context, output);
    emitter.write(this.written(output.buffer, context));
  }
}

/**
 * A URL: `{% _url 3 html %}` in an attribute, and `{% _url 3 text %}` behind the text of a link; with the number of the
 * link, 0 where nobody follows it. What is not safe is `#` for a link and nothing for an image.
 */
export class UrlBlock extends Block {
  protected override written(text: string, context: Context): string {
    const [number, kind] = this.argument.split(' ');
    const url = followed(text, Number(number), kind === 'html', context);
    if (kind === 'html') return escapeHtml(url);
    return url === '#' ? '' : ` (${url})`;
  }
}

function followed(text: string, number: number, isListed: boolean, context: Context): string {
  const url = safeUrl(text);
  if (url === undefined) return number === 0 ? '' : '#';
  if (number === 0) return url;
  const { link, links, untracked } = renderingOf(context);
  if (isListed && links.length < BOUNDS.listed && !links.some((one) => one.number === number && one.url === url))
    links.push({ number, url });
  return link && isWebUrl(url) && !untracked.has(number) ? link(number, url) : url;
}

/** A text part that was made of HTML. */
export class TidyBlock extends Block {
  protected override written(text: string): string {
    return tidyText(text);
  }
}
