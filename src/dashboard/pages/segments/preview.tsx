import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { SegmentDefinition, SegmentPreview } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { useNames } from './use-names.ts';
import { sentence } from './words.ts';

/** Who would be in a segment: how many, some of them, and for how many each condition is true. */
export function Preview({ definition }: { definition: SegmentDefinition | undefined }) {
  const client = useClient();
  const preview = useMutation({
    mutationFn: (tried: SegmentDefinition) => client.previewSegment({ definition: tried }),
  });
  return (
    <Section
      title="Preview"
      actions={
        <Button
          size="xs"
          variant="default"
          loading={preview.isPending}
          disabled={!definition}
          onClick={() => definition && preview.mutate(definition)}
        >
          Who would be in it?
        </Button>
      }
    >
      {preview.error && <Failure error={preview.error} title="It can't be tried" />}
      {preview.data ? (
        <Found preview={preview.data} />
      ) : (
        <Text size="sm" c="dimmed">
          Nothing is saved by trying.
        </Text>
      )}
    </Section>
  );
}

function Found({
  preview: { profiles, evaluated, members, conditions, sample, warnings },
}: {
  preview: SegmentPreview;
}) {
  const names = useNames();
  const isExact = evaluated === profiles;
  return (
    <Stack role="status">
      <Text>
        {isExact
          ? `${count(members.estimate)} of ${count(profiles)} customers`
          : `About ${count(members.estimate)} of ${count(profiles)} customers: between ${count(members.low)} and ${count(members.high)}`}
      </Text>
      {warnings.map(({ path, message }) => (
        <Alert key={path} color="yellow">
          <Code>{path}</Code> {message}
        </Alert>
      ))}
      <DataTable
        label="Conditions"
        columns={[
          { header: 'A customer who', isWholeLine: true, render: ({ condition }) => sentence(condition, names) },
          { header: 'True for', width: 110, align: 'right', render: ({ matches }) => share(matches, evaluated) },
          { header: 'Not set for', width: 110, align: 'right', render: ({ unset }) => share(unset, evaluated) },
        ]}
        rows={conditions}
        rowKey={({ path }) => path}
        minWidth={480}
      />
      {sample.length > 0 && (
        <Group gap="sm" aria-label="Some of them">
          <Text size="sm">Some of them:</Text>
          {sample.map(({ profile_id }) => (
            <CustomerLink key={profile_id} id={profile_id} />
          ))}
        </Group>
      )}
    </Stack>
  );
}
