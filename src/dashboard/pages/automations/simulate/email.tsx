import { Box, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import type { SendEmailEffect } from '../../../../client/index.ts';
import { Json } from '../../../components/copyable-code.tsx';
import { MailFrame } from '../../../mail/mail-frame.tsx';
import { NotAfter } from './not-after.tsx';

/** To whom an e-mail would go, whether it would, and what it would say. */
export function Email({ effect }: { effect: SendEmailEffect }) {
  const { template_id, template_name, template_version, sender_name, recipient, data, why_not, expires_at } = effect;
  const { content, failure } = effect;
  const name = template_name === null ? template_id : `“${template_name}”`;
  return (
    <Stack gap={4}>
      <span>
        {why_not === null ? 'send' : 'do not send'} {name}
        {template_version === null ? ', which is not published,' : `, version ${template_version},`} to{' '}
        {recipient ?? 'nobody'} from {sender_name ?? 'no sender, as none may send it'}
      </span>
      {why_not && <span>{why_not.explanation}</span>}
      {failure !== null && <Text size="sm">Nothing can be made of the template: {failure}</Text>}
      {content && <Content content={content} />}
      {Object.keys(data).length > 0 && <Json value={data} label={`Data of ${template_name ?? template_id}`} />}
      {expires_at && <NotAfter time={expires_at} />}
    </Stack>
  );
}

function Content({ content: { subject, html } }: { content: NonNullable<SendEmailEffect['content']> }) {
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
