import { DataList, Tabs, Text } from '@mantine/core';
import { type MessageContent as Content, FootfallError } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { MailFrame } from '../../mail/mail-frame.tsx';
import { HtmlSize } from '../../mail/size.tsx';

/** A whole message that an outbox has kept. */
export function MessageContent({ messageId }: { messageId: string }) {
  const query = useOperation('getMessageContent', { id: messageId }, { staleTime: Number.POSITIVE_INFINITY });
  const isGone = query.error instanceof FootfallError && query.error.code === 'not_found';
  return (
    <Section title="Content">
      {isGone ? (
        <Text size="sm" c="dimmed">
          It is not kept any more: an outbox has the latest 1,000 messages, for seven days.
        </Text>
      ) : (
        <Loaded query={query}>{(content) => <Parts content={content} />}</Loaded>
      )}
    </Section>
  );
}

function Parts({ content: { subject, html, text, headers, size_bytes: size } }: { content: Content }) {
  const head = headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  if (html === '') {
    return (
      <>
        <CopyableCode code={head} label="Headers" />
        <CopyableCode code={text} label="Text of the message" />
      </>
    );
  }
  return (
    <>
      <DataList>
        <Item label="Subject">{subject}</Item>
        <Item label="Size">
          <HtmlSize bytes={new TextEncoder().encode(html).length} />, {count(size)} bytes in all
        </Item>
      </DataList>
      <Tabs defaultValue="html" keepMounted={false}>
        <Tabs.List aria-label="Part">
          <Tabs.Tab value="html">HTML</Tabs.Tab>
          <Tabs.Tab value="text">Text</Tabs.Tab>
          <Tabs.Tab value="headers">Headers</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="html" pt="sm">
          <MailFrame html={html} title="The HTML of the message" />
        </Tabs.Panel>
        <Tabs.Panel value="text" pt="sm">
          <CopyableCode code={text} label="Text of the message" />
        </Tabs.Panel>
        <Tabs.Panel value="headers" pt="sm">
          <CopyableCode code={head} label="Headers" />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
