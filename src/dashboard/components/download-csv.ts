type Value = string | number | null;

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Makes a file of rows as they come, and has the browser save it. Cells that a spreadsheet would run are quoted. */
export async function downloadCsv(
  name: string,
  header: readonly string[],
  rows: () => AsyncIterable<readonly Value[]>,
): Promise<void> {
  const parts: string[] = [line(header)];
  for await (const row of rows()) parts.push(line(row));
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

function line(values: readonly Value[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: Value): string {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
