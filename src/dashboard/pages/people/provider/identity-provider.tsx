import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { FootfallError } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { Loaded } from '../../../components/states.tsx';
import { ProviderForm } from './provider-form.tsx';

/** How people sign in by the account of their company, for owners. */
export function IdentityProvider() {
  const [isOpen, setIsOpen] = useState(false);
  const query = useOperation('getIdentityProvider', {}, { enabled: isOpen });
  const isNone = query.error instanceof FootfallError && query.error.code === 'not_found';
  return (
    <>
      <Text size="sm">
        People can sign in with the account that they have in your company, by OpenID Connect: with roles by their
        groups, without invitations, or with nothing else.
      </Text>
      {!isOpen && (
        <Group>
          <Button variant="default" onClick={() => setIsOpen(true)}>
            Set up the identity provider
          </Button>
        </Group>
      )}
      {isOpen &&
        (isNone ? (
          <ProviderForm provider={undefined} onRemoved={() => setIsOpen(false)} />
        ) : (
          <Loaded query={query}>
            {(provider) => (
              <ProviderForm key={provider.updated_at} provider={provider} onRemoved={() => setIsOpen(false)} />
            )}
          </Loaded>
        ))}
    </>
  );
}
