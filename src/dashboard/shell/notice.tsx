import { Alert, Anchor } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';

/** Milliseconds until what notices are about is read again. */
export const NOTICE_REFRESH_MS = 60_000;
/** More are counted. */
const MAX_NAMED = 3;

interface Noticed {
  id: string;
  name: string;
  /** Of itself, and what about it. */
  to: string;
  words: ReactNode;
  /** It is shown again where this has changed. */
  state: string;
}

/**
 * Says on every page what needs somebody, until they have seen enough of it, for as long as the tab is open. `kind` is what that
 * is kept under.
 */
export function Notice({
  kind,
  of: items,
  isUrgent,
  title,
  children,
}: {
  kind: string;
  of: readonly Noticed[];
  isUrgent: boolean;
  title: { one: string; many: (count: number) => string };
  children?: ReactNode;
}) {
  const place = `footfall.dismissed-${kind}`;
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(place) ?? '');
  const which = items.map(({ id, state }) => `${id} ${state}`).join();
  if (items.length === 0 || which === dismissed) return null;
  const dismiss = () => {
    sessionStorage.setItem(place, which);
    setDismissed(which);
  };
  const more = items.length - MAX_NAMED;
  return (
    <Alert
      color={isUrgent ? 'red' : 'yellow'}
      icon={<AlertIcon />}
      title={items.length === 1 ? title.one : title.many(items.length)}
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
      mb="lg"
      maw={1280}
      mx="auto"
    >
      {items.slice(0, MAX_NAMED).map(({ id, to, name, words }) => (
        <div key={id} style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={to} inherit c="inherit" underline="always">
            {name}
          </Anchor>
          {words && <>: {words}.</>}
        </div>
      ))}
      {more > 0 && <div>And {more} more.</div>}
      {children}
    </Alert>
  );
}
