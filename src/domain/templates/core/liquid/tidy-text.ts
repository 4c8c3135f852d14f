/** What elements write around them: the end of a line, and an empty line, unless there is one. */
export const [LINE, PARAGRAPH] = ['\v', '\f'];

const [NEW_LINE, LINE_CODE] = [10, 11];

/** Leaves out spaces at the ends of lines, and all but one empty line. */
export function tidyText(text: string): string {
  const ends = /[\n\v\f]/g;
  let tidy = '';
  let breaks = 0;
  let from = 0;
  for (let isLast = false; !isLast; ) {
    const end = ends.exec(text);
    isLast = end === null;
    const at = end ? end.index : text.length;
    const line = text.slice(from, at).trim();
    from = at + 1;
    if (line !== '') {
      tidy += (tidy === '' ? '' : '\n'.repeat(Math.min(2, breaks))) + line;
      breaks = 0;
    }
    const code = end ? text.charCodeAt(at) : NEW_LINE;
    if (code === NEW_LINE) breaks += 1;
    else breaks = Math.max(breaks, code === LINE_CODE ? 1 : 2);
  }
  return tidy;
}
