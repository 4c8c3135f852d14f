import { Button, Group, Text } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

/** Saves a file, and says how much is in it so far; it can be given up. */
export function SaveButton({
  save,
  soFar,
  children,
}: {
  /** Throws an `AbortError` if the person gives it up. */
  save: (signal: AbortSignal, onCount: (count: number) => void) => Promise<void>;
  /** How much there is, in words. */
  soFar: (count: number) => string;
  children: string;
}) {
  const running = useRef<AbortController>(null);
  const [saved, setSaved] = useState(0);
  const saving = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      setSaved(0);
      await save(running.current.signal, setSaved);
    },
  });
  useEffect(() => () => running.current?.abort(), []);
  const { error } = saving;
  const isFailed = error !== null && error.name !== 'AbortError';
  return (
    <Group gap="xs">
      {isFailed && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          The file was not made: {error.message}
        </Text>
      )}
      {saving.isPending ? (
        <>
          <Text size="sm" role="status">
            {saved === 0 ? 'Making the file…' : `${soFar(saved)} so far…`}
          </Text>
          <Button size="xs" variant="default" onClick={() => running.current?.abort()}>
            Cancel
          </Button>
        </>
      ) : (
        <Button size="xs" variant="default" leftSection={<DownloadIcon />} onClick={() => saving.mutate()}>
          {children}
        </Button>
      )}
    </Group>
  );
}
