/** What spreadsheets take for the beginning of a formula; some do so with full-width signs too. As files of the dashboard. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text as a cell that no spreadsheet runs. */
export function textCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A line of a CSV file. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
