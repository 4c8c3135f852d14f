import { Button, Fieldset, Group, Stack, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useBlocker } from 'react-router';
import type { FootfallError, Template } from '../../../../client/index.ts';
import { Problems } from '../../../components/problems.tsx';
import { Section } from '../../../components/section.tsx';
import { Failure } from '../../../components/states.tsx';
import { Discard } from '../../../drafts/discard.tsx';
import { Stale } from '../../../drafts/stale.tsx';
import { useAllows } from '../../../session/current-caller.tsx';
import { ArchiveTemplate } from '../archive-template.tsx';
import { PublishTemplate } from '../publish-template.tsx';
import { TemplateProblems } from '../template-problems.tsx';
import { ContentFields } from './content-fields.tsx';
import classes from './editor.module.css';
import { SettingsFields } from './settings-fields.tsx';
import { Translations } from './translations.tsx';
import { useTemplateDraft } from './use-template-draft.ts';

/** The draft of a template, by forms. It is only shown where it can't be changed. */
export function Editor({ template }: { template: Template }) {
  const draft = useTemplateDraft(template);
  const { value, change, saved, isChanged, isSaving, refusal, error } = draft;
  // What was published since, here or in what it holds, is known to what was read later.
  const current = template.revision === saved.revision ? template : saved;
  const mayWrite = useAllows('messages:write') && template.status !== 'archived';
  const [open, setOpen] = useState<'publish' | 'archive'>();
  const blocker = useBlocker(isChanged);
  const { problems } = current;
  const languages = Object.keys(value.translations).length;
  const isNameless = value.name.trim() === '';
  const publish = () => setOpen('publish');
  const close = () => setOpen(undefined);
  return (
    <Stack gap="lg">
      {mayWrite && (
        <Group justify="space-between" align="center">
          <span role="status">{isChanged ? 'Changed, not saved' : `Saved, revision ${saved.revision}`}</span>
          <Group gap="xs">
            <Button onClick={draft.save} loading={isSaving} disabled={!isChanged || isNameless}>
              Save
            </Button>
            <Button
              variant="default"
              onClick={() => (isChanged ? draft.saveThen(publish) : publish())}
              disabled={isSaving || isNameless}
            >
              {isChanged ? 'Save and publish' : 'Publish'}
            </Button>
            <Button variant="default" c="red" onClick={() => setOpen('archive')}>
              Archive
            </Button>
          </Group>
        </Group>
      )}
      <Stale draft={draft} />
      {error && <Failure error={error} title="The draft was not saved" />}
      {refusal ? (
        <Problems problems={[placed(refusal)]} title="The draft was not saved" />
      ) : (
        <TemplateProblems problems={problems} />
      )}
      <Section title="Draft">
        <Fieldset variant="unstyled" disabled={!mayWrite} className={classes.fields}>
          <Tabs defaultValue="content" keepMounted={false}>
            <Tabs.List mb="md">
              <Tabs.Tab value="content">Content</Tabs.Tab>
              <Tabs.Tab value="languages">Languages{languages > 0 && ` (${languages})`}</Tabs.Tab>
              <Tabs.Tab value="settings">Settings</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="content">
              <ContentFields
                draft={value}
                value={value}
                field=""
                problems={problems}
                onChange={(content) => change({ ...value, ...content })}
              />
            </Tabs.Panel>
            <Tabs.Panel value="languages">
              <Translations draft={value} problems={problems} onChange={change} />
            </Tabs.Panel>
            <Tabs.Panel value="settings">
              <SettingsFields draft={value} onChange={change} />
            </Tabs.Panel>
          </Tabs>
        </Fieldset>
      </Section>
      {open === 'publish' && <PublishTemplate template={current} onClose={close} />}
      {open === 'archive' && <ArchiveTemplate template={current} onClose={close} />}
      {blocker.state === 'blocked' && <Discard onStay={blocker.reset} onLeave={blocker.proceed} />}
    </Stack>
  );
}

const placed = ({ field, message }: FootfallError) => ({ field, message });
