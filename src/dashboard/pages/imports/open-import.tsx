import { FileInput, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Import } from '../../../client/index.ts';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { EncodingSelect } from './encoding-select.tsx';
import { Mapping } from './mapping.tsx';
import { encodingOf, isWhole, upload, useUpload } from './uploads.ts';
import { sizeWords, useRefreshImports } from './words.ts';

/** An import that is not started: its file is sent, meanwhile one says what becomes of the columns. */
export function OpenImport({ given }: { given: Import }) {
  const { id, parts } = given;
  const sending = useUpload(id);
  const refresh = useRefreshImports();
  const read = useEffectEvent(refresh);
  const hasBegun = sending !== undefined && sending.sent > 0;
  // The first part shows the columns, the last one that it is all there.
  useEffect(() => {
    if (hasBegun || sending === undefined) void read();
  }, [hasBegun, sending]);

  const isComplete = sending === undefined && isWhole(id);
  return (
    <>
      {!isComplete && (
        <Section title="The file">
          {sending?.error && <Failure error={sending.error} title="The file was not sent" />}
          {sending && !sending.error ? (
            <Stack gap={4}>
              <Progress aria-label="Sent" value={(100 * sending.sent) / sending.size} />
              <Text size="sm" role="status">
                {sizeWords(sending.sent)} of {sizeWords(sending.size)} sent. Leave this page open in the browser.
              </Text>
            </Stack>
          ) : (
            <ChooseAgain given={given} />
          )}
        </Section>
      )}
      {parts > 0 && <Mapping importId={id} isComplete={isComplete} />}
    </>
  );
}

/** After the page was left in the middle, or the sending has failed. */
function ChooseAgain({ given: { id, name, parts, bytes } }: { given: Import }) {
  const queryClient = useQueryClient();
  const [encoding, setEncoding] = useState(() => encodingOf(id) ?? null);
  const readPreviewsAgain = () => void queryClient.resetQueries({ queryKey: ['previewImport', id] });
  const begin = (file: File | null) => {
    if (file) void upload(id, file, encoding ?? undefined, readPreviewsAgain);
  };
  return (
    <Stack maw={560}>
      <EncodingSelect
        description={parts === 0 ? undefined : 'In another encoding than before, all of the file is sent again.'}
        value={encoding}
        onChange={setEncoding}
      />
      <FileInput
        label={`Choose ${name ?? 'the file'} again`}
        description={
          parts === 0
            ? 'Nothing of it was sent yet.'
            : `${sizeWords(bytes)} of it are here; whether that is all is not known. What this tab has sent is not sent again.`
        }
        placeholder="Choose the file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={begin}
      />
    </Stack>
  );
}
