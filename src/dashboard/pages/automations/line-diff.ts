export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Unchanged lines around a change. */
const CONTEXT = 3;

/** How one text becomes another, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split('\n'), after.split('\n')];
  // For each two places, how many lines from there on both have in common.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = common[i] as Uint32Array;
    for (let j = young.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      lines.push({ kind: 'same', text: old[i] as string });
      i += 1;
      j += 1;
    } else if (i < old.length && (j === young.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: old[i] as string });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: young[j] as string });
      j += 1;
    }
  }
  return lines;
}

/** The changed lines with some around them; `undefined` stands for what is left out between. */
export function changedParts(lines: readonly DiffLine[]): (DiffLine | undefined)[] {
  const isNear = lines.map((_, n) =>
    lines.slice(Math.max(0, n - CONTEXT), n + CONTEXT + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, n) => (isNear[n] ? [line] : isNear[n - 1] ? [undefined] : []));
}
