import { Button, Group, Text } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type CsvFile, downloadCsv } from './download-csv.ts';
import { count } from './numbers.ts';

/** Saves rows as a file, and says how many are in it so far; it can be given up. */
export function CsvButton({ file, children = 'Download as CSV' }: { file: CsvFile; children?: string }) {
  const running = useRef<AbortController>(null);
  const [rows, setRows] = useState(0);
  const saving = useMutation({
    mutationFn: async () => {
      running.current = new AbortController();
      setRows(0);
      await downloadCsv(file, running.current.signal, setRows);
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
            {rows === 0 ? 'Making the file…' : `${count(rows)} rows so far…`}
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
