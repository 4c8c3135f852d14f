import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProfileNote } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useRows } from '../../api/operations.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { Section } from '../../components/section.tsx';
import { Failure, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';

const PAGE = 10;
const MAX_LENGTH = 2_000;

/** What people who work in the store have written down about a customer, and room for more. */
export function CustomerNotes({ profileId }: { profileId: string }) {
  const query = useRows('listProfileNotes', { id: profileId, limit: PAGE }, ({ notes }) => notes);
  const client = useClient();
  const queryClient = useQueryClient();
  const mayWrite = useAllows('profiles:write');
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['listProfileNotes'] });
  const deleting = useMutation({
    mutationFn: (note_id: string) => client.deleteProfileNote({ id: profileId, note_id }),
    onSuccess: refresh,
  });
  return (
    <Section title="Notes" mt="lg">
      {mayWrite && <WriteNote profileId={profileId} onWritten={refresh} />}
      {deleting.error && <Failure error={deleting.error} title="The note was not deleted" />}
      <Loaded query={query}>
        {(notes) =>
          notes.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing is written down yet.
            </Text>
          ) : (
            <Stack component="ul" gap="md" m={0} p={0} aria-label="All notes" style={{ listStyle: 'none' }}>
              {notes.map((note) => (
                <li key={note.id}>
                  <Note
                    note={note}
                    isDeleting={deleting.isPending && deleting.variables === note.id}
                    onDelete={mayWrite ? () => deleting.mutate(note.id) : undefined}
                  />
                </li>
              ))}
            </Stack>
          )
        }
      </Loaded>
      <LoadMore pages={query} />
    </Section>
  );
}

function Note({
  note: { text, author, created_at },
  isDeleting,
  onDelete,
}: {
  note: ProfileNote;
  isDeleting: boolean;
  onDelete: (() => void) | undefined;
}) {
  return (
    <Stack gap={4}>
      <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {text}
      </Text>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" miw={0} style={{ overflowWrap: 'anywhere' }}>
          {author.name ?? 'Somebody'}, <Time value={created_at} />
        </Text>
        {onDelete && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            flex="none"
            aria-label={`Delete the note: ${text.slice(0, 40)}`}
            loading={isDeleting}
            onClick={onDelete}
          >
            Delete
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function WriteNote({ profileId, onWritten }: { profileId: string; onWritten: () => Promise<void> }) {
  const client = useClient();
  const [text, setText] = useState('');
  const writing = useMutation({
    mutationFn: () => client.createProfileNote({ id: profileId, text }),
    onSuccess: async () => {
      setText('');
      await onWritten();
    },
  });
  const { wrong, rest } = refusalOf(writing.error, ['text']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        writing.mutate();
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="New note"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={MAX_LENGTH}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={wrong('text')}
        />
        {rest && <Failure error={rest} title="The note was not written" />}
        <Group justify="flex-end">
          <Button size="xs" type="submit" loading={writing.isPending} disabled={text.trim() === ''}>
            Write it down
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
