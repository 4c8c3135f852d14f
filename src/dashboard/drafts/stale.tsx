import { Alert, Button, Group } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import type { SavedDraft } from './use-saved-draft.ts';

/** Says that somebody else has saved a draft meanwhile, and asks with which to go on. */
export function Stale({
  draft: { isStale, isSaving, takeTheirs, overwriteTheirs },
  isUnfinished = false,
}: {
  draft: Pick<SavedDraft<unknown, unknown>, 'isStale' | 'isSaving' | 'takeTheirs' | 'overwriteTheirs'>;
  /** It can't be saved as it is now. */
  isUnfinished?: boolean;
}) {
  if (!isStale) return null;
  return (
    <Alert color="yellow" icon={<AlertIcon />} title="Somebody else has changed this draft" role="alert">
      Nothing of yours was saved.
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={takeTheirs} loading={isSaving}>
          Drop mine, show theirs
        </Button>
        <Button
          size="xs"
          color="red"
          variant="light"
          onClick={overwriteTheirs}
          loading={isSaving}
          disabled={isUnfinished}
        >
          Save mine in place of theirs
        </Button>
      </Group>
    </Alert>
  );
}
