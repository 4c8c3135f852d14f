import { Alert, Code, List, Stack } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import type { DefinitionProblem } from '../../../client/index.ts';

/** What keeps a draft from being published, or from being saved, each with its place. */
export function Problems({
  problems,
  title = 'It can’t be published yet',
}: {
  problems: readonly DefinitionProblem[];
  title?: string;
}) {
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" icon={<AlertIcon />} title={title} role="status">
      <ProblemList problems={problems} />
    </Alert>
  );
}

export function ProblemList({
  problems,
  label = 'Problems',
}: {
  problems: readonly DefinitionProblem[];
  label?: string;
}) {
  return (
    <List size="sm" aria-label={label}>
      {problems.map(({ field, message }) => (
        <List.Item key={`${field} ${message}`} style={{ overflowWrap: 'anywhere' }}>
          <Stack gap={0}>
            {message}
            {field !== null && !message.includes(field) && <Code>{field}</Code>}
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}
