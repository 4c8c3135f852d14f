/** Leaves out spaces at the ends of lines, and empty lines after one another. */
export function tidyText(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(trimmed);
  }
  return lines.join('\n').trimEnd();
}
