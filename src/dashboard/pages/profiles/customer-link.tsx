import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useCustomerName } from './customer-names.ts';

/** Leads to a customer of whom the id is known, by the name once that is read. */
export function CustomerLink({ id }: { id: string }) {
  const name = useCustomerName(id);
  const end = `…${id.slice(-8)}`;
  return (
    <Anchor
      component={Link}
      to={`/profiles/${id}`}
      size="sm"
      lineClamp={1}
      style={{ overflowWrap: 'anywhere' }}
      {...(name ? { title: name } : { ff: 'monospace', 'aria-label': `Customer ${end}` })}
    >
      {name ?? end}
    </Anchor>
  );
}
