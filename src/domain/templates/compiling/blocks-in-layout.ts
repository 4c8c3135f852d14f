import type { Report } from '../core/problems.ts';

/** What stands around the blocks of an e-mail. */
export interface Around {
  text: string;
  /** Where in it they stand. */
  at: number;
}

export interface Reports {
  /** For what is wrong in the layout, where it was written. */
  layout: Report;
  /** For all else. */
  blocks: Report;
}

const [HEAD, ROOT] = [/<mj-head>/, /<mjml\b[^<>]*>/];

/**
 * Puts blocks, as MJML, into that of a layout. What they say of their style comes first in its head, so that the layout
 * decides. `report` takes what is wrong with the whole, and tells the layout's part from theirs.
 */
export function blocksInLayout(
  { head, body }: { head: string; body: string },
  { text, at }: Around,
  reports: Reports,
): { mjml: string; report: Report } {
  const inserted = [{ at, code: body }];
  const [ofHead, ofRoot] = [HEAD.exec(text), ROOT.exec(text)];
  if (ofHead) inserted.push({ at: ofHead.index + ofHead[0].length, code: head });
  else if (ofRoot) inserted.push({ at: ofRoot.index + ofRoot[0].length, code: `<mj-head>${head}</mj-head>` });
  inserted.sort((one, other) => one.at - other.at);
  let [mjml, end] = ['', 0];
  for (const one of inserted) {
    mjml += text.slice(end, one.at) + one.code;
    end = one.at;
  }
  const report: Report = (finding) => {
    const place = finding.at === null ? undefined : placeInLayout(finding.at, inserted);
    if (place === undefined) reports.blocks({ ...finding, at: null });
    else reports.layout({ ...finding, at: place });
  };
  return { mjml: mjml + text.slice(end), report };
}

/** Undefined for what is not the layout's. */
function placeInLayout(at: number, inserted: readonly { at: number; code: string }[]): number | undefined {
  let before = 0;
  for (const one of inserted) {
    if (at < one.at + before) break;
    if (at < one.at + before + one.code.length) return undefined;
    before += one.code.length;
  }
  return at - before;
}
