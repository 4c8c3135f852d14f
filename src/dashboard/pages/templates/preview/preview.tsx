import { Alert, Badge, Button, DataList, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { Arguments, TemplatePreview } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { Item } from '../../../components/item.tsx';
import { Section } from '../../../components/section.tsx';
import { Loaded } from '../../../components/states.tsx';
import { MailFrame } from '../../../mail/mail-frame.tsx';
import { HtmlSize } from '../../../mail/size.tsx';
import { useAllows } from '../../../session/current-caller.tsx';
import { TemplateProblems } from '../template-problems.tsx';
import { PreviewFields } from './preview-fields.tsx';
import { TestTemplate } from './test-template.tsx';

type Asked = Omit<Arguments<'renderTemplate'>, 'id'>;

/** What a template says to a customer, as its draft was saved last, or as a campaign sends it. */
export function Preview({
  templateId,
  of = {},
  choice,
}: {
  templateId: string;
  of?: Pick<Asked, 'campaign_id' | 'variant'>;
  /** By which somebody chooses a variant. */
  choice?: ReactNode;
}) {
  const [occasion, setOccasion] = useState<Asked>({});
  const asked = { ...occasion, ...of };
  const query = useOperation('renderTemplate', { id: templateId, ...asked });
  const maySend = useAllows('messages:send');
  const [isTesting, { open, close }] = useDisclosure();
  return (
    <Section
      title="Preview"
      actions={
        maySend && (
          <Button size="xs" variant="default" onClick={open}>
            Send a test
          </Button>
        )
      }
    >
      {choice}
      <PreviewFields onSubmit={setOccasion} isPending={query.isFetching} />
      <Loaded query={query}>{(preview) => <Result preview={preview} />}</Loaded>
      {isTesting && <TestTemplate templateId={templateId} asked={asked} onClose={close} />}
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
