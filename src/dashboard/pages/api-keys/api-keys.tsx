import { Button, Code, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { KeyIcon, PlusIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { ApiKey } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { Page } from '../../components/page.tsx';
import { Listed } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { ApiKeyTable } from './api-key-table.tsx';
import { CreateKey } from './create-key.tsx';
import { RenameKey } from './rename-key.tsx';
import { RevokeKey } from './revoke-key.tsx';

/** Who may do what. */
export function ApiKeys() {
  const keys = useRows('listApiKeys', { limit: 100 }, ({ api_keys }) => api_keys);
  const [isCreating, { open, close }] = useDisclosure();
  const [renaming, setRenaming] = useState<ApiKey>();
  const [revoking, setRevoking] = useState<ApiKey>();

  return (
    <Page
      title="API keys"
      description="Each key belongs to this store and allows what its scopes say. Give every integration its own key."
      actions={
        <Button leftSection={<PlusIcon />} onClick={open}>
          Create a key
        </Button>
      }
    >
      <Section title="Keys of this store">
        <Listed query={keys} empty={<Empty icon={<KeyIcon size={24} />} title="No keys yet" />}>
          {(rows) => <ApiKeyTable keys={rows} pages={keys} onRename={setRenaming} onRevoke={setRevoking} />}
        </Listed>
      </Section>
      <Section title="Rate limits">
        <Text size="sm">
          The tier of a key limits its requests in any 60 seconds: 700 in <Code>standard</Code>, which every new key
          has, 1,400 in <Code>high_volume</Code> and 3,500 in <Code>partner</Code>, unless the service is configured
          otherwise. The operator of the service can change the tier, with the id of the key from the list above (where
          a release is installed, with <Code>npx footfall keys</Code> in place of <Code>npm run -s keys --</Code>):
        </Text>
        <CopyableCode code="npm run -s keys -- set-tier <id> partner" label="Command that changes the tier of a key" />
      </Section>
      <CreateKey opened={isCreating} onClose={close} />
      {renaming && <RenameKey apiKey={renaming} onClose={() => setRenaming(undefined)} />}
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  );
}
