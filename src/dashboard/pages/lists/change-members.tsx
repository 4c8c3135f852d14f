import { Alert, Modal, SegmentedControl, Table, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { List, MemberReference } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { count } from '../../components/numbers.ts';
import { useRefreshLists } from './use-lists.ts';

/** Customers that one request may name. */
const MOST = 1_000;

interface Outcome {
  text: string;
  rejected: { line: string; why: string }[];
}

/** Adds customers to a list, or removes them, and says what became of each who was refused. */
export function ChangeMembers({ list: { id, name }, onClose }: { list: List; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshLists();
  const [how, setHow] = useState<'add' | 'remove'>('add');
  const [text, setText] = useState('');
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const change = useMutation({
    mutationFn: async (): Promise<Outcome> => {
      const members = lines.map(toReference);
      const answer =
        how === 'add' ? await client.addListMembers({ id, members }) : await client.removeListMembers({ id, members });
      const changed = 'added' in answer ? `${count(answer.added)} added` : `${count(answer.removed)} removed`;
      const same = how === 'add' ? 'were in it already' : 'were not in it';
      return {
        text: `${changed}, ${count(answer.unchanged)} ${same}.`,
        rejected: answer.members.flatMap((member) =>
          member.status === 'rejected' ? [{ line: lines[member.index] ?? '', why: member.error.message }] : [],
        ),
      };
    },
    onSuccess: refresh,
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={`Customers of “${name}”`}>
      <ActionForm
        verb={how === 'add' ? 'Add' : 'Remove'}
        failure="Nothing was changed"
        error={change.error}
        isPending={change.isPending}
        isDisabled={lines.length === 0 || lines.length > MOST}
        cancel="Close"
        onCancel={onClose}
        onSubmit={change.mutate}
      >
        <SegmentedControl
          aria-label="What to do"
          data={[
            { value: 'add', label: 'Add' },
            { value: 'remove', label: 'Remove' },
          ]}
          value={how}
          onChange={(value) => setHow(value as typeof how)}
        />
        <Textarea
          label="Customers"
          description={`One in a line: an e-mail address, a phone number that begins with +, or an external id. At most ${count(MOST)}.`}
          autosize
          minRows={4}
          maxRows={12}
          required
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={lines.length > MOST ? `These are ${count(lines.length)}` : undefined}
        />
        {change.data && <Result outcome={change.data} />}
      </ActionForm>
    </Modal>
  );
}

function Result({ outcome: { text, rejected } }: { outcome: Outcome }) {
  return (
    <Alert color={rejected.length > 0 ? 'yellow' : 'green'} role="status">
      <Text size="sm">{text}</Text>
      {rejected.length > 0 && (
        <Table aria-label="Refused" mt="xs">
          <Table.Tbody>
            {rejected.map(({ line, why }) => (
              <Table.Tr key={line}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{line}</Table.Td>
                <Table.Td>{why}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Alert>
  );
}

function toReference(line: string): MemberReference {
  if (line.includes('@')) return { email: line };
  return line.startsWith('+') ? { phone: line } : { external_id: line };
}
