/** A report as Markdown: a line about the machine, and a table for each part that was measured. */
export class Tables {
  readonly #lines: string[];

  constructor({ node, cores }: { node: string; cores: number }) {
    this.#lines = [`Node ${node}, ${cores} cores.`];
  }

  /** Adds a table, unless it has no rows. */
  add(columns: string[], rows: (string | number)[][]): void {
    if (rows.length === 0) return;
    this.#lines.push('', `| ${columns.join(' | ')} |`, `|---${'|--:'.repeat(columns.length - 1)}|`);
    for (const row of rows) this.#lines.push(`| ${row.join(' | ')} |`);
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

/** A number without decimals, as people read it. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
