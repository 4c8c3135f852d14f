import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { endpointPath } from './endpoint-table.tsx';
import { useEndpoints } from './use-endpoints.ts';

/** An endpoint by its name, and the way to it, where the key may see it; else by its id. */
export function EndpointName({ id }: { id: string }) {
  const { data } = useEndpoints();
  const name = data?.endpoints.find((endpoint) => endpoint.id === id)?.name;
  if (!data) return id;
  return (
    <Anchor component={Link} to={endpointPath(id)} inherit underline="always">
      {name ?? id}
    </Anchor>
  );
}
