import type { Log } from '../../src/process/log.ts';

/** A line without its level; `err` is left out. */
export interface LogLine {
  msg: string;
  node?: string;
  slots?: number;
}

/** A log that keeps its lines. */
export function keepLines(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep = (fields: string | { err?: unknown }, msg?: string) => {
    if (typeof fields === 'string') return lines.push({ msg: fields });
    const { err: _, ...others } = fields;
    return lines.push({ ...others, msg: msg as string });
  };
  return { log: { info: keep, warn: keep } as unknown as Log, lines };
}
