import type { TemplateBlocks } from '../core/blocks/blocks.ts';
import { blocksToMjml } from '../core/blocks/blocks-to-mjml.ts';
import { CONTENT } from './part.ts';

const HEAD = /<mj-head>([\s\S]*?)<\/mj-head>/;
const BODY = /<mj-body[^>]*>([\s\S]*)<\/mj-body>/;

/**
 * Puts blocks into the MJML of a layout. What they say of their style comes first in its head, so that the layout
 * decides. Returns undefined where the blocks are not MJML yet, because something is wrong with them.
 */
export function blocksInLayout(blocks: TemplateBlocks, layout: string, lang: string): string | undefined {
  const { mjml, problems } = blocksToMjml(blocks, { lang });
  if (problems.some(({ severity }) => severity === 'error')) return undefined;
  const [, head = ''] = HEAD.exec(mjml) ?? [];
  const [, body = ''] = BODY.exec(mjml) ?? [];
  const whole = layout.replace(CONTENT, () => body);
  return whole.includes('<mj-head>')
    ? whole.replace('<mj-head>', (tag) => tag + head)
    : whole.replace(/<mjml\b[^>]*>/, (tag) => `${tag}<mj-head>${head}</mj-head>`);
}
