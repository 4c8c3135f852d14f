import { Alert, Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { ShieldLockIcon } from '@primer/octicons-react';
import type { CreatedApiKey } from '../../../client/index.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { exampleRequests } from '../../components/curl.ts';
import { scriptElement } from './script-element.ts';

/** A key that was created, and how it is used. */
export function NewKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const { public_key } = created.api_key;
  return public_key === null ? (
    <SecretKey created={created} onDone={onDone} />
  ) : (
    <PublicKey publicKey={public_key} onDone={onDone} />
  );
}

function PublicKey({ publicKey, onDone }: { publicKey: string; onDone: () => void }) {
  return (
    <Stack>
      <CopyableCode code={publicKey} label="The key" />
      <Text size="sm">It is no secret, and stays in the list. In the pages of a shop, it belongs into this line:</Text>
      <CopyableCode code={scriptElement(publicKey)} label="The script for pages" />
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

function SecretKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const { api_key } = created;
  // Null in replays only, and the form sends no key of its own.
  const key = created.key ?? '';
  const { native, compat } = exampleRequests(key);
  return (
    <Stack>
      <Alert color="yellow" icon={<ShieldLockIcon />} title="Copy it now" role="status">
        It is shown only this once: the service keeps no copy of it.
      </Alert>
      <CopyableCode code={key} label="The key" />
      {api_key.scopes.includes('events:write') && (
        <Stack gap="xs">
          <Text size="sm">Record a first event with it:</Text>
          <Tabs defaultValue="native" keepMounted={false}>
            <Tabs.List aria-label="Surface">
              <Tabs.Tab value="native">Native</Tabs.Tab>
              <Tabs.Tab value="compat">Klaviyo-compatible</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="native" pt="xs">
              <CopyableCode code={native} label="Request to the native surface" />
            </Tabs.Panel>
            <Tabs.Panel value="compat" pt="xs">
              <CopyableCode code={compat} label="Request to the compatibility surface" />
            </Tabs.Panel>
          </Tabs>
        </Stack>
      )}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have copied it</Button>
      </Group>
    </Stack>
  );
}
