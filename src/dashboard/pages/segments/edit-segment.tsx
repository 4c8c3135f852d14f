import { Alert, Anchor, Button, Group, Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Segment } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Failure, Loaded } from '../../components/states.tsx';
import { reviveMissing } from '../../components/values.ts';
import { RequiredConditionFields } from '../../conditions/condition-fields.tsx';
import { isPlaced, notesOf } from '../../conditions/notes.ts';
import { sentence } from '../../conditions/sentence.ts';
import { isShownWhole } from '../../conditions/shown-whole.ts';
import { useNames } from '../../conditions/use-names.ts';
import { OF_HISTORY } from '../../conditions/words.ts';
import { type Condition, known } from '../../definitions.ts';
import { Preview } from './preview.tsx';
import { useLivePreview } from './use-live-preview.ts';
import { segmentPath, useRefreshSegments } from './use-segments.ts';

const OF_SEGMENTS = [
  ...OF_HISTORY,
  'attribute',
  'identifier',
  'date',
  'profile',
  'consent',
  'list',
  'segment',
  'share',
] as const;
const NEW: Condition = { did: { event_type: '' } };

/** Creates a segment, or changes one. */
export function EditSegment() {
  const { segmentId } = useParams();
  const query = useOperation('getSegment', { id: segmentId ?? '' }, { enabled: segmentId !== undefined });
  const title = segmentId === undefined ? 'Create a segment' : `Change “${query.data?.name ?? 'a segment'}”`;
  return (
    <Page
      title={title}
      description={
        <Anchor component={Link} to="/segments" inherit underline="always">
          All segments
        </Anchor>
      }
    >
      {segmentId === undefined ? (
        <Editor />
      ) : (
        <Loaded query={query}>{(segment) => <Editor segment={segment} />}</Loaded>
      )}
    </Page>
  );
}

function Editor({ segment }: { segment?: Segment }) {
  const client = useClient();
  const refresh = useRefreshSegments();
  const navigate = useNavigate();
  const [name, setName] = useState(segment?.name ?? '');
  const [form, setForm] = useState(() => shownWhole(segment ? known(segment.definition) : NEW));
  const [text, setText] = useState(() => JSON.stringify(segment?.definition ?? NEW, null, 2));
  const [tab, setTab] = useState(form ? 'form' : 'json');
  const shown = tab === 'form' ? form : undefined;
  const definition = shown ?? parse(text);
  const names = useNames();
  const preview = useLivePreview(definition);
  const tried = preview.isCurrent ? preview.query : undefined;
  const saving = useMutation({
    mutationFn: (defined: Condition) => {
      const values = { name: name.trim(), definition: defined };
      return segment
        ? client.updateSegment({ id: segment.id, revision: segment.revision, ...values })
        : client.createSegment(values);
    },
    onSuccess: async ({ id }) => {
      await refresh();
      navigate(segmentPath(id));
    },
  });
  const choose = (next: string | null) => {
    if (next === 'json' && form) setText(JSON.stringify(form, null, 2));
    // What isn't JSON stays where it can be mended.
    if (next === 'form') {
      if (!definition) return;
      setForm(shownWhole(definition));
    }
    setTab(next ?? 'form');
  };
  const notes = shown
    ? notesOf(shown, [saving.error, tried?.error ?? null], tried?.data?.warnings ?? [])
    : new Map<string, never>();
  // What is said at a condition is about it as it was.
  const change = (changed: typeof form) => {
    saving.reset();
    setForm(changed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (definition) saving.mutate(definition);
  };
  return (
    <Stack>
      <Section title="Definition">
        {/* As JSON, what the form lacks, which is hidden then, must not keep anybody from saving. */}
        <form onSubmit={submit} noValidate={tab === 'json'}>
          <Stack>
            <TextInput
              label="Name"
              required
              maxLength={100}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Tabs value={tab} onChange={choose}>
              <Tabs.List mb="sm">
                <Tabs.Tab value="form">Conditions</Tabs.Tab>
                <Tabs.Tab value="json">JSON</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="form">
                {form ? (
                  <Stack gap="sm">
                    <RequiredConditionFields
                      lead="A customer belongs to it for whom"
                      of={OF_SEGMENTS}
                      notes={notes}
                      value={form}
                      onChange={change}
                    />
                    <Text size="xs" c="dimmed">
                      A comparison with something that is not set is false. With “not”, “is not” and “is none of” it is
                      the other way round, so these are true where nothing is set.
                    </Text>
                    <Text size="sm" role="note" aria-label="In words" style={{ overflowWrap: 'anywhere' }}>
                      Everyone {sentence(form, names)}
                    </Text>
                  </Stack>
                ) : (
                  <Alert color="gray">These conditions are more than the form can show: change them as JSON.</Alert>
                )}
              </Tabs.Panel>
              <Tabs.Panel value="json">
                <Textarea
                  label="The definition as JSON"
                  autosize
                  minRows={8}
                  maxRows={24}
                  ff="monospace"
                  value={text}
                  onChange={({ currentTarget }) => setText(currentTarget.value)}
                  error={definition ? undefined : 'This is not JSON.'}
                />
              </Tabs.Panel>
            </Tabs>
            {saving.error && !isPlaced(shown, saving.error) && (
              <Failure error={saving.error} title="The segment was not saved" />
            )}
            <Group justify="flex-end">
              <Button type="submit" loading={saving.isPending} disabled={!definition || name.trim() === ''}>
                {segment ? 'Save' : 'Create'}
              </Button>
            </Group>
          </Stack>
        </form>
      </Section>
      <Preview preview={preview} isErrorPlaced={isPlaced(shown, preview.query.error)} />
    </Stack>
  );
}

/** The definition, if the form can show all of it. */
const shownWhole = (definition: Condition) => (isShownWhole(definition) ? definition : undefined);

/** Whether it is a definition, the service says. A number that was not filled in is none again. */
function parse(text: string): Condition | undefined {
  try {
    const value: unknown = JSON.parse(text, reviveMissing);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Condition) : undefined;
  } catch {
    return undefined;
  }
}
