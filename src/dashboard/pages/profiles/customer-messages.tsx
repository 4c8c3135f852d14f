import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Profile } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { MessageTable } from '../messages/message-table.tsx';
import { SendMessage } from '../messages/send-message.tsx';
import type { NamedCustomer } from './customer-fields.tsx';

const PAGE = 5;

/** What a customer was sent, is to be sent, or was not sent, and why. */
export function CustomerMessages({ profile }: { profile: Profile }) {
  const query = useRows('listProfileMessages', { id: profile.id, limit: PAGE }, ({ messages }) => messages);
  const named = identified(profile);
  const maySend = useAllows('messages:send') && named !== undefined;
  const [isSending, { open, close }] = useDisclosure();
  return (
    <Section
      title="Messages"
      mt="lg"
      actions={
        maySend && (
          <Button size="xs" variant="default" onClick={open}>
            Send a message
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(messages) =>
          messages.length === 0 ? (
            <Text size="sm" c="dimmed">
              This customer was sent none.
            </Text>
          ) : (
            <MessageTable messages={messages} pages={query} />
          )
        }
      </Loaded>
      {isSending && <SendMessage {...(named && { to: named })} onClose={close} />}
    </Section>
  );
}

function identified({ identifiers }: Profile): NamedCustomer | undefined {
  const kinds = ['email', 'phone', 'external_id'] as const;
  const kind = kinds.find((one) => identifiers[one] !== null && identifiers[one] !== undefined);
  return kind && { kind, identifier: identifiers[kind] ?? '' };
}
