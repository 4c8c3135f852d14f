import { Alert, Badge, DataList, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { Arguments, TemplatePreview } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { Item } from '../../../components/item.tsx';
import { Section } from '../../../components/section.tsx';
import { Loaded } from '../../../components/states.tsx';
import { MailFrame } from '../../../mail/mail-frame.tsx';
import { HtmlSize } from '../../../mail/size.tsx';
import { TemplateProblems } from '../template-problems.tsx';
import { PreviewFields } from './preview-fields.tsx';

type Asked = Omit<Arguments<'renderTemplate'>, 'id'>;

/** What a template says to a customer, as its draft was saved last. */
export function Preview({ templateId }: { templateId: string }) {
  const [asked, setAsked] = useState<Asked>({});
  const query = useOperation('renderTemplate', { id: templateId, ...asked });
  return (
    <Section title="Preview">
      <PreviewFields onSubmit={setAsked} isPending={query.isFetching} />
      <Loaded query={query}>{(preview) => <Result preview={preview} />}</Loaded>
    </Section>
  );
}

function Result({
  preview: {
    failure,
    locale,
    subject,
    preheader,
    html,
    text,
    size_bytes: bytes,
    segment_count: segments,
    encoding,
    problems,
  },
}: {
  preview: TemplatePreview;
}) {
  if (failure) {
    return (
      <>
        <Alert color="yellow" title="There would be no message" role="status">
          {failure.message}
        </Alert>
        <TemplateProblems problems={problems} />
      </>
    );
  }
  return (
    <>
      <TemplateProblems problems={problems} />
      <DataList>
        {html && (
          <>
            <Item label="Subject">{subject || '–'}</Item>
            <Item label="Preheader">{preheader || '–'}</Item>
          </>
        )}
        <Item label="Language">
          <Badge color="gray">{locale}</Badge>
        </Item>
        {html && (
          <Item label="Size">
            <HtmlSize bytes={bytes} />
          </Item>
        )}
      </DataList>
      {html ? (
        <Tabs defaultValue="html" keepMounted={false}>
          <Tabs.List aria-label="Part">
            <Tabs.Tab value="html">HTML</Tabs.Tab>
            <Tabs.Tab value="text">Text</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="html" pt="sm">
            <MailFrame html={html} title="The HTML of the preview" />
          </Tabs.Panel>
          <Tabs.Panel value="text" pt="sm">
            <CopyableCode code={text ?? ''} label="Text of the preview" />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <>
          <CopyableCode code={text ?? ''} label="Text of the preview" />
          <Text size="sm" c="dimmed">
            {(text ?? '').length} characters
            {segments !== null && `, ${segments === 1 ? 'one segment' : `${segments} segments`}`}
            {encoding === 'ucs2' && ', as it has characters that phones have no short form of'}
          </Text>
        </>
      )}
    </>
  );
}
