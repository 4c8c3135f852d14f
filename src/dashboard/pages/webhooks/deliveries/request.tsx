import { Tabs, Text } from '@mantine/core';
import type { WebhookDelivery } from '../../../../client/index.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { indented } from './indented.ts';

/** The request of a delivery: its headers, and its body, which is the same for each attempt. */
export function SentRequest({ delivery: { id, body, request, attempts } }: { delivery: WebhookDelivery }) {
  const [last] = attempts;
  const signature = [
    `webhook-timestamp: ${last ? Math.floor(Date.parse(last.at) / 1_000) : '(the seconds of the attempt)'}`,
    'webhook-signature: v1,(computed with the secret)',
  ];
  const own = request
    ? [
        `${request.method} ${request.path ?? ''}`.trim(),
        ...Object.entries(request.headers).map((one) => one.join(': ')),
      ]
    : ['content-type: application/json'];
  const headers = [
    ...own,
    'user-agent: Footfall-Webhooks/1',
    `webhook-id: ${id}`,
    ...(request && !request.signed ? [] : signature),
  ];
  return (
    <>
      <Text size="sm" c="dimmed">
        {last && attempts.length > 1
          ? `The headers of attempt ${last.number}: the others differ in timestamp and signature. `
          : ''}
        Signatures are not kept.
      </Text>
      <CopyableCode code={headers.join('\n')} label="Headers" />
      <Tabs defaultValue="indented" keepMounted={false}>
        <Tabs.List aria-label="Form of the body">
          <Tabs.Tab value="indented">Body, indented</Tabs.Tab>
          <Tabs.Tab value="exact">As it is sent</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="indented" pt="xs">
          <CopyableCode code={indented(body)} label="Body, indented" />
        </Tabs.Panel>
        <Tabs.Panel value="exact" pt="xs">
          <CopyableCode code={body} label="Body" />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
