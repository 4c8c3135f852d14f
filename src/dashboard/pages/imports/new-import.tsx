import { Anchor, Button, Checkbox, FileInput, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useClient } from '../../api/client.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { useAudiences } from '../../conditions/use-names.ts';
import { EncodingSelect } from './encoding-select.tsx';
import { ENCODINGS, guessEncoding } from './file-text.ts';
import { upload } from './uploads.ts';
import { importPath } from './words.ts';

const MAX_BYTES = 100 * 1024 * 1024;
const MAX_LISTS = 10;

/** Chooses a file, and the lists that its customers join. */
export function NewImport() {
  const client = useClient();
  const navigate = useNavigate();
  const { lists } = useAudiences();
  const [params] = useSearchParams();
  const [file, setFile] = useState<File | null>(null);
  const [encoding, setEncoding] = useState<string | null>(null);
  const [chosen, setChosen] = useState(params.getAll('list'));
  const [isHistory, setIsHistory] = useState(false);
  const opening = useMutation({
    mutationFn: (given: File) => client.createImport({ name: nameOf(given), list_ids: chosen, backfill: isHistory }),
    onSuccess: ({ id }, given) => {
      void upload(id, given, encoding ?? undefined);
      navigate(importPath(id), { replace: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) opening.mutate(file);
  };
  const problem = file && problemOf(file);
  const looks = useLooks(file);
  return (
    <Page
      title="Import a file"
      description={
        <Anchor component={Link} to="/imports" inherit underline="always">
          All imports
        </Anchor>
      }
    >
      <Section title="The file">
        <form onSubmit={submit}>
          <Stack maw={560}>
            <FileInput
              label="CSV file"
              description="Its first line names the columns; one of them is an e-mail address, a phone number or an id. At most 100 MB."
              placeholder="Choose a file"
              accept=".csv,.tsv,.txt,text/csv,text/plain"
              required
              clearable
              clearButtonProps={{ 'aria-label': 'Choose no file' }}
              value={file}
              onChange={setFile}
              error={problem}
            />
            <EncodingSelect value={encoding} onChange={setEncoding} description={looks} />
            <MultiSelect
              label="Lists"
              description="Each customer of the file joins them. Being in a list is not consent."
              placeholder={chosen.length === 0 ? 'None' : undefined}
              data={lists.map(({ id, name }) => ({ value: id, label: name }))}
              searchable
              maxValues={MAX_LISTS}
              value={chosen}
              onChange={setChosen}
            />
            <Checkbox
              label="This is history: start no automations"
              description="For customers who come from another system. Otherwise automations start with those whom the file lets enter a segment, or whose attributes it changes."
              checked={isHistory}
              onChange={({ currentTarget }) => setIsHistory(currentTarget.checked)}
            />
            {opening.error && <Failure error={opening.error} title="The import was not opened" />}
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                Nothing is written before you have seen it.
              </Text>
              <Button type="submit" loading={opening.isPending} disabled={!file || problem !== undefined}>
                Continue
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
    </Page>
  );
}

/** Says at once that a file is not in UTF-8. */
function useLooks(file: File | null): string | undefined {
  const { data } = useQuery({
    queryKey: ['guessEncoding', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file ? guessEncoding(file) : null),
    enabled: file !== null,
  });
  return data === 'windows-1252'
    ? `This file is not in UTF-8: it is read as ${ENCODINGS[data]}. If letters look wrong in the next step, choose another.`
    : undefined;
}

function problemOf(file: File): string | undefined {
  if (file.size > MAX_BYTES) return 'It is larger than 100 MB: cut it into several files.';
  if (file.size === 0) return 'It is empty.';
  return /\.(xlsx?|ods|numbers)$/i.test(file.name) ? 'This is a spreadsheet: save it as CSV there.' : undefined;
}

/** Without what the name of an import must not have. */
function nameOf(file: File): string {
  const name = file.name.replaceAll(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '');
  return name.slice(-255).toWellFormed() || 'File';
}
