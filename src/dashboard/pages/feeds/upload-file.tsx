import { FileInput, Group, Modal, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogFeed } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { ActionForm } from '../../components/action-form.tsx';
import { share } from '../../components/numbers.ts';
import { Failure } from '../../components/states.tsx';
import { partsOf } from '../imports/file-text.ts';
import { readingOf, toReading } from './feed-fields.tsx';
import { FeedPreview } from './preview.tsx';
import { useRefreshFeeds } from './use-feeds.ts';

/** Uploads the file of a feed, and has it read. */
export function UploadFile({ feed, onClose }: { feed: CatalogFeed; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshFeeds();
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  const previewing = useMutation({
    mutationFn: async (chosen: File) => {
      for await (const { text } of partsOf(chosen)) {
        return await client.previewCatalogFeed({ text, ...toReading(readingOf(feed)) });
      }
      throw new Error('The file is empty.');
    },
  });
  const uploading = useMutation({
    mutationFn: async (chosen: File) => {
      let number = 0;
      for await (const { text, read } of partsOf(chosen)) {
        number += 1;
        await client.putCatalogFeedPart({ id: feed.id, number: String(number), text });
        setSent(read);
      }
      if (number === 0) throw new Error('The file is empty.');
      return await client.runCatalogFeed({ id: feed.id, part_count: number });
    },
    onSuccess: onClose,
    onSettled: refresh,
  });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    previewing.reset();
    uploading.reset();
    if (chosen) previewing.mutate(chosen);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`The file of “${feed.name}”`}
      closeOnEscape={!uploading.isPending}
      closeOnClickOutside={!uploading.isPending}
    >
      <ActionForm
        verb="Upload and read"
        failure="The file was not read"
        error={uploading.error}
        isPending={uploading.isPending}
        isDisabled={!file}
        onSubmit={() => file && uploading.mutate(file)}
      >
        <FileInput
          label="File"
          description="CSV, TSV, JSON lines, JSON or the XML of Google; at most 100 MB, not compressed."
          accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xml"
          required
          clearable
          data-autofocus
          value={file}
          onChange={choose}
          clearButtonProps={{ 'aria-label': 'Choose no file' }}
        />
        {previewing.error && <Failure error={previewing.error} title="This does not look like a feed" />}
        {previewing.data && <FeedPreview preview={previewing.data} />}
        {uploading.isPending && file && (
          <Group>
            <Text size="sm" role="status">
              {share(sent, file.size)} sent; do not leave this page.
            </Text>
          </Group>
        )}
      </ActionForm>
    </Modal>
  );
}
