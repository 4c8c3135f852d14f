import { Code, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { AutomationDefinition } from '../../definitions.ts';
import { textOf } from './canonical.ts';
import classes from './diff.module.css';
import { changedParts, type DiffLine, diffLines } from './line-diff.ts';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−' };

/** How a definition differs from another, line by line. */
export function Diff({
  before,
  after,
  label,
}: {
  before: AutomationDefinition;
  after: AutomationDefinition;
  label: string;
}) {
  const lines = useMemo(() => numbered(changedParts(diffLines(textOf(before), textOf(after)))), [before, after]);
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          There are none.
        </Text>
      ) : (
        <Code block className={classes.diff} tabIndex={0} role="region" aria-label={label}>
          {lines.map(({ n, line }) => (
            <span key={n} className={classes.line} data-kind={line?.kind}>
              {line ? `${SIGNS[line.kind]} ` : '…'}
              {line && line.kind !== 'same' && <VisuallyHidden component="span">{line.kind}: </VisuallyHidden>}
              {line?.text}
              {'\n'}
            </span>
          ))}
        </Code>
      )}
    </Stack>
  );
}

function numbered(lines: readonly (DiffLine | undefined)[]) {
  return lines.map((line, n) => ({ n, line }));
}
