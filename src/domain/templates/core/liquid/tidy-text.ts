/** What elements write around them: the end of a line, and an empty line, unless there is one. */
export const [LINE, PARAGRAPH] = ['\v', '\f'];

const [NEW_LINE, LINE_CODE, PARAGRAPH_CODE] = [10, 11, 12];

/** Leaves out spaces at the ends of lines, and all but one empty line. */
export function tidyText(text: string): string {
  let tidy = '';
  let breaks = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i += 1) {
    const code = i < text.length ? text.charCodeAt(i) : NEW_LINE;
    if (code > PARAGRAPH_CODE || code < NEW_LINE) continue;
    const line = from < i ? text.slice(from, i).trim() : '';
    from = i + 1;
    if (line !== '') {
      tidy += (tidy === '' ? '' : '\n'.repeat(Math.min(2, breaks))) + line;
      breaks = 0;
    }
    if (code === NEW_LINE) breaks += 1;
    else breaks = Math.max(breaks, code === LINE_CODE ? 1 : 2);
  }
  return tidy;
}
