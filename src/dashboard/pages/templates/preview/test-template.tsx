import { useState } from 'react';
import type { Arguments } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { SenderSelect } from '../../senders/sender-select.tsx';
import { SendTest } from '../../senders/test-sender.tsx';

/** Sends what the preview shows to an address, and says what came of it. */
export function TestTemplate({
  templateId,
  asked,
  onClose,
}: {
  templateId: string;
  asked: Omit<Arguments<'renderTemplate'>, 'id'>;
  onClose: () => void;
}) {
  const client = useClient();
  const [senderId, setSenderId] = useState('');
  return (
    <SendTest
      title="Send a test of what the preview shows"
      send={(to) =>
        client.testTemplate({ id: templateId, to, ...asked, ...(senderId !== '' && { sender_id: senderId }) })
      }
      fields={(wrong) => (
        <SenderSelect
          placeholder={asked.campaign_id ? 'That of the campaign' : 'The default sender of the store'}
          value={senderId}
          onChange={setSenderId}
          error={wrong('sender_id')}
        />
      )}
      onClose={onClose}
    />
  );
}
