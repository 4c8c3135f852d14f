import { Box, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import type { SendEmailEffect, SendSmsEffect } from '../../../../client/index.ts';
import { Json } from '../../../components/copyable-code.tsx';
import { MailFrame } from '../../../mail/mail-frame.tsx';
import { NotAfter } from './not-after.tsx';

/** What says what a template says. */
export type Templated = SendEmailEffect | SendSmsEffect;

/** To whom a message would go, whether it would, and what it would say. */
export function TemplateMessage({ effect }: { effect: Templated }) {
  const { template_id, template_name, template_version, sender_name, recipient, data, why_not, expires_at } = effect;
  const { failure } = effect;
  const name = template_name === null ? template_id : `“${template_name}”`;
  return (
    <Stack gap={4}>
      <span>
        {why_not === null ? 'send' : 'do not send'} {name}
        {template_version === null ? ', which is not published,' : `, version ${template_version},`} to{' '}
        {recipient ?? 'nobody'} {effect.type === 'send_sms' && 'by text message '}from{' '}
        {sender_name ?? 'no sender, as none may send it'}
      </span>
      {why_not && <span>{why_not.explanation}</span>}
      {failure !== null && <Text size="sm">Nothing can be made of the template: {failure}</Text>}
      {effect.content && <Said effect={effect} />}
      {Object.keys(data).length > 0 && <Json value={data} label={`Data of ${template_name ?? template_id}`} />}
      {expires_at && <NotAfter time={expires_at} />}
    </Stack>
  );
}

function Said({ effect }: { effect: Templated }) {
  if (effect.type === 'send_email') return effect.content && <Mail content={effect.content} />;
  if (!effect.content) return null;
  const { text, segment_count: segments } = effect.content;
  return (
    <>
      <span style={{ whiteSpace: 'pre-wrap' }}>Text: “{text}”</span>
      <Text size="xs" c="dimmed" component="span">
        {segments === 1 ? '1 segment' : `${segments} segments`}
      </Text>
    </>
  );
}

function Mail({ content: { subject, html } }: { content: NonNullable<SendEmailEffect['content']> }) {
  const [isShown, { toggle }] = useDisclosure();
  const id = useId();
  return (
    <>
      <span>Subject: “{subject}”</span>
      <Button
        variant="default"
        size="compact-xs"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={toggle}
      >
        {isShown ? 'Hide what it says' : 'Show what it says'}
      </Button>
      <Box id={id}>{isShown && <MailFrame html={html} title={`What “${subject}” says`} />}</Box>
    </>
  );
}
