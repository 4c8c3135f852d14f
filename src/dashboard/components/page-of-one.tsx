import { Anchor, Group } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { FootfallError } from '../../client/index.ts';
import { Page } from './page.tsx';
import { Empty, Loaded } from './states.tsx';

type Query<Data> = ComponentProps<typeof Loaded<Data>>['query'];

/** The page of one thing that the store has: it, or that it is not there, and the way to all of its kind. */
export function PageOfOne<Data>({
  query,
  kind,
  heading = kind,
  hint,
  all,
  to,
  title,
  state,
  actions,
  children,
}: {
  query: Query<Data>;
  /** As somebody reads it who looks for one that is not there: `List`. */
  kind: string;
  /** What the page is called as long as it has no title. */
  heading?: string;
  /** Why it may not be there. */
  hint?: string;
  /** What leads to all of its kind, and where they are. */
  all: string;
  to: string;
  title: string | null | undefined;
  /** How it is, beside that. */
  state?: ReactNode;
  actions?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const link = (
    <Anchor component={Link} to={to} inherit underline="always">
      {all}
    </Anchor>
  );
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title={heading}>
        <Empty title={`${kind} not found`} description={hint} action={link} />
      </Page>
    );
  }
  const description = state ? (
    <Group component="span" gap="xs">
      {state}
      {link}
    </Group>
  ) : (
    link
  );
  return (
    <Page title={title ?? heading} description={description} actions={actions}>
      <Loaded query={query}>{children}</Loaded>
    </Page>
  );
}
