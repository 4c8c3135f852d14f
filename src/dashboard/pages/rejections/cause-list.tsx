import { Accordion, Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { Rejection } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Time } from '../../components/time.tsx';
import type { Cause } from './causes.ts';

/** Examples of each cause. */
const EXAMPLES = 10;

/** What to do about each kind. */
const ADVICE: Partial<Record<Rejection['code'], string>> = {
  validation_error: 'Fix the field in the sender, and send the request again.',
  unauthorized: 'Use a valid key.',
  forbidden: 'Use a key that has the scope, or create one under API keys.',
  not_found: 'Check the address, or the id in it.',
  rate_limit_exceeded: 'Send fewer requests, or several events in one. The operator can raise the tier of a key.',
};

const COLUMNS: readonly Column<Rejection>[] = [
  { header: 'When', width: 225, render: ({ rejected_at }) => <Time value={rejected_at} /> },
  { header: 'Key', render: ({ key }) => key.name },
  { header: 'Field', render: ({ field }) => field && <Code>{field}</Code> },
  { header: 'Status', width: 80, render: ({ status }) => status },
  { header: 'Request', render: ({ request_id }) => <Code>{request_id}</Code> },
];

export function CauseList({ causes }: { causes: readonly Cause[] }) {
  return (
    <Accordion variant="separated" multiple order={2}>
      {causes.map((cause) => (
        <Accordion.Item key={cause.id} value={cause.id} bg="var(--footfall-surface)">
          <Accordion.Control>
            <Heading cause={cause} />
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <Text size="sm">{ADVICE[cause.last.code]}</Text>
              <DataTable
                label={`Latest requests refused for this: ${cause.last.message}`}
                columns={COLUMNS}
                rows={cause.rejections.slice(0, EXAMPLES)}
                rowKey={({ id }) => id}
              />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

function Heading({ cause: { last, rejections, field, keys } }: { cause: Cause }) {
  return (
    <Group justify="space-between" gap="sm" pr="sm">
      <Stack gap={2} miw={0} flex={1}>
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {last.message}
        </Text>
        <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {[last.operation ?? 'unknown operation', last.code, field, `by ${keys.join(', ')}`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Stack>
      <Group gap="sm">
        <Text c="dimmed" size="sm" component="span">
          last <Time value={last.rejected_at} />
        </Text>
        <Badge variant="light" size="lg">
          {rejections.length} {rejections.length === 1 ? 'request' : 'requests'}
        </Badge>
      </Group>
    </Group>
  );
}
