import { DataList, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MergeChanges as Changes } from '../../../client/index.ts';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';

/** What a merge changes at once, or would change; `isPreview` says which. */
export function MergeChanges({ changes, isPreview = false }: { changes: Changes; isPreview?: boolean }) {
  const { identifiers, identifier_count: all, consent, suppressed_channels: suppressed } = changes;
  const more = all - identifiers.length;
  const ways = [
    ...identifiers.map(({ kind, value }) => `${value} (${kind.replaceAll('_', ' ')})`),
    ...(more > 0 ? [`${count(more)} more`] : []),
  ];
  return (
    <DataList orientation="vertical" aria-label={isPreview ? 'What would change' : 'What has changed'}>
      <Item label={isPreview ? 'Would be found by, too' : 'Found by, too'}>
        <Words words={ways} none="nothing else" />
      </Item>
      <Item label="Attributes taken over">
        <Words words={changes.filled_attributes} />
      </Item>
      <Item label="Attributes lost, as they have another value">
        <Words words={changes.lost_attributes} isLoss />
      </Item>
      <Item label="Consent taken over">
        <Words words={consent.map(({ channel, status }) => `${channelName(channel)}: ${status}`)} />
      </Item>
      {suppressed.length > 0 && (
        <Item label={isPreview ? 'Would be sent nothing by' : 'Is sent nothing by'}>
          <Words words={suppressed.map(channelName)} isLoss />
        </Item>
      )}
      <Item label="Lists">
        <Words
          words={[
            ...(changes.joined_list_ids.length > 0 ? [`${count(changes.joined_list_ids.length)} joined`] : []),
            ...(changes.left_list_ids.length > 0 ? [`${count(changes.left_list_ids.length)} left`] : []),
          ]}
          none="no others"
        />
      </Item>
      <Item label="Active runs of automations">
        {count(changes.moved_run_count)} go on
        {changes.ended_run_count > 0 && `, ${count(changes.ended_run_count)} end as there is an older one`}
      </Item>
      {changes.skipped_message_count > 0 && (
        <Item label="Campaigns to both">
          {count(changes.skipped_message_count)} sent once: the other message is skipped
        </Item>
      )}
    </DataList>
  );
}

function channelName(channel: string): string {
  return channel === 'sms' ? 'SMS' : 'e-mail';
}

function Words({
  words,
  none = 'none',
  isLoss = false,
}: {
  words: readonly string[];
  none?: string;
  isLoss?: boolean;
}): ReactNode {
  if (words.length === 0) return none;
  return (
    <Text inherit span style={{ overflowWrap: 'anywhere' }} {...(isLoss && { c: 'var(--mantine-color-error)' })}>
      {words.join(', ')}
    </Text>
  );
}
