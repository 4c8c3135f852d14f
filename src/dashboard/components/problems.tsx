import { Alert, Code, List, Stack } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';

/** Something that is wrong, with its place where that is known. */
export interface Problem {
  message: string;
  field: string | null;
  /** Of the text of the field, from 1. */
  line?: number | null;
}

/** What keeps a draft from being published, or from being saved, each with its place. */
export function Problems({
  problems,
  title = 'It can’t be published yet',
}: {
  problems: readonly Problem[];
  title?: string;
}) {
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" icon={<AlertIcon />} title={title} role="status">
      <ProblemList problems={problems} />
    </Alert>
  );
}

export function ProblemList({ problems, label = 'Problems' }: { problems: readonly Problem[]; label?: string }) {
  return (
    <List size="sm" aria-label={label}>
      {problems.map((problem) => {
        const { field, message, line = null } = problem;
        return (
          <List.Item key={`${field} ${line} ${message}`} style={{ overflowWrap: 'anywhere' }}>
            <Stack gap={0}>
              {message}
              {field !== null && (line !== null || !message.includes(field)) && (
                <span>
                  <Code>{field}</Code>
                  {line !== null && `, line ${line}`}
                </span>
              )}
            </Stack>
          </List.Item>
        );
      })}
    </List>
  );
}
