import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FootfallError } from '../../client/index.ts';

export interface SavedDraft<Saved, Value> {
  value: Value;
  change: (value: Value) => void;
  /** As it was read or saved last. */
  saved: Saved;
  isChanged: boolean;
  save: () => void;
  /** Saves it and then, unless that is refused, goes on. */
  saveThen: (goOn: () => void) => void;
  isSaving: boolean;
  /** Why the service refused to save it, where that is a field of it. */
  refusal: FootfallError | undefined;
  /** Why it was not saved otherwise. */
  error: Error | undefined;
  /** Somebody else has saved it meanwhile. */
  isStale: boolean;
  /** Goes on from what somebody else has saved: from theirs, or with one's own in its place. */
  takeTheirs: () => void;
  overwriteTheirs: () => void;
}

/** A draft that is edited, and saved as a whole with the revision that was changed. */
export function useSavedDraft<Saved extends { revision: number }, Value>({
  initial,
  draftOf,
  write,
  read,
  keep,
}: {
  initial: Saved;
  /** The draft in what was saved; the same each time. */
  draftOf: (saved: Saved) => Value;
  write: (saved: Saved, revision: number, value: Value) => Promise<Saved>;
  read: (saved: Saved) => Promise<Saved>;
  /** Is told what was saved, or read anew. */
  keep: (saved: Saved) => void;
}): SavedDraft<Saved, Value> {
  const [saved, setSaved] = useState(initial);
  const [value, setValue] = useState(() => draftOf(initial));
  const take = (after: Saved) => {
    setSaved(after);
    keep(after);
  };
  const saving = useMutation({
    mutationFn: (sent: { revision: number; value: Value }) => write(saved, sent.revision, sent.value),
    onSuccess: (after, sent) => {
      take(after);
      // What was changed while it was saved is kept.
      setValue((now) => (now === sent.value ? draftOf(after) : now));
    },
  });
  const reading = useMutation({ mutationFn: () => read(saved) });
  const isStale = isStaleError(saving.error);
  const refusal = isStale ? undefined : refusalIn(saving.error);
  return {
    value,
    change: setValue,
    saved,
    isChanged: value !== draftOf(saved),
    save: () => saving.mutate({ revision: saved.revision, value }),
    saveThen: (goOn) => saving.mutate({ revision: saved.revision, value }, { onSuccess: goOn }),
    isSaving: saving.isPending || reading.isPending,
    refusal,
    error: (refusal || isStale ? undefined : saving.error) ?? reading.error ?? undefined,
    isStale,
    takeTheirs: () =>
      reading.mutate(undefined, {
        onSuccess: (theirs) => {
          saving.reset();
          take(theirs);
          setValue(draftOf(theirs));
        },
      }),
    overwriteTheirs: () =>
      reading.mutate(undefined, {
        onSuccess: ({ revision }) => saving.mutate({ revision, value }),
      }),
  };
}

function isStaleError(error: Error | null): boolean {
  return error instanceof FootfallError && error.code === 'validation_error' && error.field === 'revision';
}

function refusalIn(error: Error | null): FootfallError | undefined {
  return error instanceof FootfallError && error.code === 'validation_error' ? error : undefined;
}
