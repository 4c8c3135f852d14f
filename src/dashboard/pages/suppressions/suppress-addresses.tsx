import { Modal, Select, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type AddressSuppressionReason, FootfallError } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { count } from '../../components/numbers.ts';
import { useRefreshSuppressions } from './use-suppressions.ts';
import { REASON_OPTIONS } from './words.ts';

/** Addresses that one request may have. */
const MOST = 1_000;

/** Has nothing sent to the addresses of a list any more. */
export function SuppressAddresses({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshSuppressions();
  const [text, setText] = useState('');
  const [reason, setReason] = useState<AddressSuppressionReason>('manual');
  const addresses = text.split(/[\s,;]+/).filter((address) => address !== '');
  const isTooMany = addresses.length > MOST;
  const suppressing = useMutation({
    mutationFn: (given: string[]) => client.suppressAddresses({ addresses: given, reason }),
    onSuccess: async ({ suppressed, unchanged }) => {
      onClose();
      const already = unchanged > 0 ? `; ${count(unchanged)} were already` : '';
      notifications.show({ title: 'Suppressed', message: `${count(suppressed)} are suppressed now${already}.` });
      await refresh();
    },
  });
  const refused = refusedAddress(suppressing.error, suppressing.variables);
  return (
    <Modal opened onClose={onClose} size="lg" title="Suppress addresses">
      <ActionForm
        verb="Suppress"
        failure="None was suppressed"
        error={refused === undefined ? suppressing.error : null}
        isPending={suppressing.isPending}
        isDisabled={addresses.length === 0 || isTooMany}
        onSubmit={() => suppressing.mutate(addresses)}
      >
        <Textarea
          label="Addresses"
          description={`As many as ${count(MOST)}, in lines or with commas between them. Nothing is sent to them any more, whoever has them.`}
          autosize
          minRows={4}
          maxRows={12}
          required
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => {
            suppressing.reset();
            setText(currentTarget.value);
          }}
          error={isTooMany ? `These are ${count(addresses.length)}` : refused}
        />
        <Select
          label="Why"
          data={REASON_OPTIONS}
          allowDeselect={false}
          value={reason}
          onChange={(value) => value && setReason(value)}
        />
      </ActionForm>
    </Modal>
  );
}

/** What is said of the first that is no address. */
function refusedAddress(error: Error | null, given: readonly string[] | undefined): string | undefined {
  if (!(error instanceof FootfallError)) return undefined;
  const [, index] = /^addresses\[(\d+)\]$/.exec(error.field ?? '') ?? [];
  return index && `“${given?.[Number(index)]}” is no e-mail address. None was suppressed.`;
}
