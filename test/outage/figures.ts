/** What was seen of one fault. Times are in milliseconds. */
export interface Figures {
  fault: string;
  inFlight: number;
  acknowledged: number;
  refused: number;
  unanswered: number;
  lost: number;
  doubled: number;
  slowestMs: number;
  recoveryMs: number;
}

const COLUMNS: readonly (readonly [string, (figures: Figures) => string | number])[] = [
  ['Fault', ({ fault }) => fault],
  ['In flight', ({ inFlight }) => inFlight],
  ['Acknowledged', ({ acknowledged }) => acknowledged],
  ['Refused', ({ refused }) => refused],
  ['Unanswered', ({ unanswered }) => unanswered],
  ['Lost', ({ lost }) => lost],
  ['Duplicated', ({ doubled }) => doubled],
  ['Slowest response', ({ slowestMs }) => seconds(slowestMs)],
  ['Recovery', ({ recoveryMs }) => seconds(recoveryMs)],
];

/** The figures as a table in Markdown: one line for each fault, its rounds put together. */
export function renderTable(rounds: readonly Figures[]): string {
  const faults = Map.groupBy(rounds, ({ fault }) => fault);
  const lines = [...faults.values()].map((figures) => COLUMNS.map(([, cell]) => cell(figures.reduce(together))));
  const head = COLUMNS.map(([title]) => title);
  const rule = COLUMNS.map((_, i) => (i === 0 ? '---' : '--:'));
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function together(a: Figures, b: Figures): Figures {
  return {
    fault: a.fault,
    inFlight: a.inFlight + b.inFlight,
    acknowledged: a.acknowledged + b.acknowledged,
    refused: a.refused + b.refused,
    unanswered: a.unanswered + b.unanswered,
    lost: a.lost + b.lost,
    doubled: a.doubled + b.doubled,
    slowestMs: Math.max(a.slowestMs, b.slowestMs),
    recoveryMs: Math.max(a.recoveryMs, b.recoveryMs),
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
