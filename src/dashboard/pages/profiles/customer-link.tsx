import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { useOperation } from '../../api/operations.ts';
import { Hint } from '../../components/hint.tsx';
import { nameOf } from './name-of.ts';

/** Leads to a customer of whom only the id is known; who points at it is told the name. */
export function CustomerLink({ id }: { id: string }) {
  const end = `…${id.slice(-8)}`;
  return (
    <Hint label={<CustomerName id={id} />}>
      {(handlers) => (
        <Anchor
          component={Link}
          to={`/profiles/${id}`}
          size="sm"
          ff="monospace"
          aria-label={`Customer ${end}`}
          {...handlers}
        >
          {end}
        </Anchor>
      )}
    </Hint>
  );
}

/** Asked for when it is shown, and not for every row. */
function CustomerName({ id }: { id: string }) {
  const { data, error } = useOperation('getProfile', { id }, { staleTime: 60_000 });
  if (data) return nameOf(data);
  return error ? error.message : 'Loading…';
}
