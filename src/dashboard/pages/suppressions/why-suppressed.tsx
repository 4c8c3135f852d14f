import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { Message } from '../../../client/index.ts';
import { suppressionOf } from './use-suppressions.ts';

/** Leads from a message that was skipped because of a suppression to what says since when, and why. */
export function WhySuppressed({ message: { reason, address, profile_id } }: { message: Message }) {
  if (reason === 'suppressed') {
    return (
      <Anchor component={Link} to={`/profiles/${profile_id}`} size="sm" underline="always">
        Their consent says why
      </Anchor>
    );
  }
  return (
    <Anchor component={Link} {...suppressionOf(address ?? '')} size="sm" underline="always">
      The suppression
    </Anchor>
  );
}
