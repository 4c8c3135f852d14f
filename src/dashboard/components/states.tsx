import { Alert, Button, Code, EmptyState, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { AlertIcon, LockIcon, SyncIcon } from '@primer/octicons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FootfallError } from '../../client/index.ts';

/** What of a query these need, so that they take those of one answer and those of pages. */
type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching'> & { refetch: () => unknown };

/** The content that a query is for, once it is there; until then that it is loaded, or why not and how to try again. */
export function Loaded<Data>({
  query,
  loading = <Loading />,
  children,
}: {
  query: Query<Data>;
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = query;
  if (data === undefined) {
    return error ? <Failure error={error} onRetry={() => refetch()} isRetrying={isFetching} /> : loading;
  }
  return (
    <>
      {error && <Failure error={error} onRetry={() => refetch()} isRetrying={isFetching} />}
      {children(data)}
    </>
  );
}

export function Loading({ rows = 4, height = 20 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} h={height} />
      ))}
    </Stack>
  );
}

/** Why something is not there: a scope that the key lacks, or an error, which may be gone the next time. */
export function Failure({
  error,
  title = 'Could not load this',
  onRetry,
  isRetrying = false,
}: {
  error: Error;
  title?: string;
  onRetry?: () => void;
  isRetrying?: boolean;
}) {
  const missing = missingScopes(error);
  if (missing !== undefined) {
    return (
      <Alert color="gray" icon={<LockIcon />} title="Your key does not allow this" role="status">
        It needs the {missing.includes(', ') ? 'scopes' : 'scope'} <Code>{missing}</Code>. Sign in with a key that has
        it, or ask the person who manages the keys of this store.
      </Alert>
    );
  }
  const requestId = error instanceof FootfallError ? error.requestId : undefined;
  return (
    <Alert color="red" icon={<AlertIcon />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {error.message}
          {requestId && (
            <>
              {' '}
              (request <Code>{requestId}</Code>)
            </>
          )}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" leftSection={<SyncIcon />} onClick={onRetry} loading={isRetrying}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** The scopes that a refused call names. */
function missingScopes(error: Error): string | undefined {
  if (!(error instanceof FootfallError) || error.code !== 'forbidden') return undefined;
  return /scopes? ([\w:]+(?:, [\w:]+:\w+)*)/.exec(error.message)?.[1] ?? error.message;
}

/** There is nothing, and what to do about it. */
export function Empty({
  title,
  description,
  action,
  icon,
}: {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}) {
  return (
    <EmptyState title={title} description={description} icon={icon} py="xl">
      {action && <Group justify="center">{action}</Group>}
    </EmptyState>
  );
}
