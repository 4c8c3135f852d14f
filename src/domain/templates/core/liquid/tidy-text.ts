/** What elements write around them: the end of a line, and an empty line, unless there is one. */
export const [LINE, PARAGRAPH] = ['\v', '\f'];

/** Leaves out spaces at the ends of lines, and all but one empty line. */
export function tidyText(text: string): string {
  let tidy = '';
  let breaks = 0;
  for (const part of text.split(/([\n\v\f])/)) {
    const line = part.trim();
    if (part === '\n') breaks += 1;
    else if (part === LINE) breaks = Math.max(breaks, 1);
    else if (part === PARAGRAPH) breaks = Math.max(breaks, 2);
    else if (line !== '') {
      tidy += (tidy === '' ? '' : '\n'.repeat(Math.min(2, breaks))) + line;
      breaks = 0;
    }
  }
  return tidy;
}
