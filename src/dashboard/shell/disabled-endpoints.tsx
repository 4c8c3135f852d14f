import { Text } from '@mantine/core';
import { wordsOf } from '../components/words-of.ts';
import { endpointPath } from '../pages/webhooks/endpoint-table.tsx';
import { useEndpoints } from '../pages/webhooks/use-endpoints.ts';
import { DISABLED_WORDS } from '../pages/webhooks/words.ts';
import { NOTICE_REFRESH_MS, Notice } from './notice.tsx';

/** Says on every page which endpoints are disabled, and why: what is sent to them is held, and in the end forgotten. */
export function DisabledEndpoints() {
  const { data } = useEndpoints({ refetchInterval: NOTICE_REFRESH_MS });
  const disabled = data?.endpoints.filter(({ status }) => status === 'disabled') ?? [];
  return (
    <Notice
      kind="endpoints"
      of={disabled.map(({ id, name, disabled_reason }) => ({
        id,
        name,
        to: endpointPath(id),
        words: disabled_reason && wordsOf(DISABLED_WORDS, disabled_reason),
        state: `${disabled_reason}`,
      }))}
      isUrgent={disabled.some(({ disabled_reason }) => disabled_reason !== 'requested')}
      title={{ one: 'A webhook endpoint is disabled', many: (count) => `${count} webhook endpoints are disabled` }}
    >
      <Text size="sm" inherit visibleFrom="sm">
        What automations send meanwhile is held for 30 days: enable {disabled.length === 1 ? 'it' : 'them'}, and replay
        that.
      </Text>
    </Notice>
  );
}
