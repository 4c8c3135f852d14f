import { Alert, Anchor } from '@mantine/core';
import { GearIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import { useAllows, useCaller } from '../../session/current-caller.tsx';

/** Asks for the settings of a store that has said nothing of itself yet, where they can be changed. */
export function UnknownStore() {
  const store = useCaller()?.store;
  const mayChange = useAllows('keys:manage');
  if (!mayChange || !store || store.time_zone !== null) return null;
  return (
    <Alert color="blue" icon={<GearIcon />} title="Where is your store?" role="status" mb="lg">
      Days of events begin in the time zone of this browser, those of revenue and messages in UTC, and messages call the
      store “{store.name}”.{' '}
      <Anchor component={Link} to="/settings/store" inherit underline="always">
        Set its name, time zone and currency
      </Anchor>
      .
    </Alert>
  );
}
