import { Button, Menu } from '@mantine/core';
import { ChevronDownIcon, PaperAirplaneIcon, PencilIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../client/index.ts';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SwitchEndpoint } from './switch-endpoint.tsx';
import { TestEndpoint } from './test-endpoint.tsx';

const DIALOGS = {
  test: TestEndpoint,
  edit: EditEndpoint,
  rotate: RotateSecret,
  switch: SwitchEndpoint,
  delete: DeleteEndpoint,
};

/** What can be done with an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS>();
  const Dialog = open && DIALOGS[open];
  return (
    <>
      <Button variant="default" leftSection={<PaperAirplaneIcon />} onClick={() => setOpen('test')}>
        Test
      </Button>
      <Button variant="default" leftSection={<PencilIcon />} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('rotate')}>Rotate the secret…</Menu.Item>
          <Menu.Item onClick={() => setOpen('switch')}>
            {endpoint.status === 'disabled' ? 'Enable…' : 'Disable…'}
          </Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('delete')}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {Dialog && <Dialog endpoint={endpoint} onClose={() => setOpen(undefined)} />}
    </>
  );
}
