import type { CampaignLink, PreviewedLink } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';

/** A link of HTML, with what is in it; its attributes, of which one may have `>` in it. */
const LINK = /<a\b((?:"[^"]*"|'[^']*'|[^'">])*)>[\s\S]*?<\/a\s*>/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const BADGE =
  'display:inline-block;margin:0 4px;padding:0 6px;border-radius:8px;background:#1f4b99;color:#ffffff;font:bold 12px/18px sans-serif';

/** The HTML of a preview with the clicks of each link behind it, as far as some were counted. */
export function withClicks(html: string, links: readonly PreviewedLink[], followed: readonly CampaignLink[]): string {
  let last = 0;
  return html.replaceAll(LINK, (link, attributes: string) => {
    const [, double, single] = HREF.exec(attributes) ?? [];
    const url = (double ?? single ?? '').replaceAll('&amp;', '&');
    const same = links.filter((one) => one.url === url);
    // They stand in the order of their numbers, but for those that are repeated.
    const number = (same.find((one) => one.number > last) ?? same.at(-1))?.number;
    if (number === undefined) return link;
    last = number;
    const found = followed.find((one) => one.number === number);
    return found ? `${link}<span style="${BADGE}">${count(found.click_count)}</span>` : link;
  });
}
