import { Button, Group, Tabs } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useBlocker, useNavigate } from 'react-router';
import type { Automation } from '../../../../client/index.ts';
import { Problems } from '../../../components/problems.tsx';
import { Section } from '../../../components/section.tsx';
import { Failure } from '../../../components/states.tsx';
import { Place } from '../../../conditions/place.ts';
import { Discard } from '../../../drafts/discard.tsx';
import { Stale } from '../../../drafts/stale.tsx';
import { useAllows } from '../../../session/current-caller.tsx';
import { Publish } from '../publish.tsx';
import { Simulate } from '../simulate/simulate.tsx';
import { Warnings } from '../warnings.tsx';
import { canBeShown } from './can-be-shown.ts';
import { JsonTab } from './json-tab.tsx';
import { Settings } from './settings.tsx';
import { Steps } from './steps.tsx';
import { type Draft, useDraft } from './use-draft.ts';

/** The draft of an automation: by forms, or as text. */
export function Editor({ automation }: { automation: Automation }) {
  const draft = useDraft(automation);
  const { saved, isChanged, isNew, isSaving, problems, error } = draft;
  const isUnsaved = isChanged || isNew;
  const [isTextWrong, setTextWrong] = useState(false);
  const isShown = !isTextWrong && canBeShown(draft.definition);
  const [tab, setTab] = useState<string | null>('steps');
  const [open, setOpen] = useState<'publish' | 'simulate'>();
  const maySimulate = useAllows('automations:read', 'events:read', 'profiles:read');
  const blocker = useBlocker(isChanged);
  const navigate = useNavigate();
  const isElsewhere = saved.id !== automation.id && !isChanged;
  // One that was just saved for the first time gets an address that can be loaded anew.
  useEffect(() => {
    if (isElsewhere) navigate(`/automations/${saved.id}/edit`, { replace: true });
  }, [isElsewhere, saved.id, navigate]);
  const close = () => setOpen(undefined);
  return (
    <>
      <Group justify="space-between" align="center">
        <Group gap="xs" role="status">
          {isNew ? 'Not saved yet' : isChanged ? 'Changed, not saved' : `Saved, revision ${saved.revision}`}
        </Group>
        <Group gap="xs">
          <Button onClick={draft.save} loading={isSaving} disabled={!isUnsaved || isTextWrong || draft.isUnfinished}>
            Save
          </Button>
          {maySimulate && (
            <Button variant="default" onClick={() => setOpen('simulate')} disabled={isUnsaved}>
              Simulate
            </Button>
          )}
          <Button variant="default" onClick={() => setOpen('publish')} disabled={isUnsaved}>
            Publish
          </Button>
        </Group>
      </Group>
      <Stale draft={draft} isUnfinished={draft.isUnfinished} />
      {error && <Failure error={error} title="The draft was not saved" />}
      <Problems problems={problems} title={titleOf(draft)} />
      {!isUnsaved && <Warnings warnings={saved.warnings} definition={draft.definition} onChange={draft.change} />}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="steps" disabled={!isShown}>
            Steps
          </Tabs.Tab>
          <Tabs.Tab value="settings" disabled={!isShown}>
            Trigger and rules
          </Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Place value={{ takesClientEvents: saved.takes_client_events, hasTrigger: true, eventType: 'placed_order' }}>
          <Tabs.Panel value="steps" pt="md">
            <Steps draft={draft} />
          </Tabs.Panel>
          <Tabs.Panel value="settings" pt="md">
            <Settings draft={draft} />
          </Tabs.Panel>
        </Place>
        <Tabs.Panel value="json" pt="md">
          <Section title="The whole definition">
            <JsonTab draft={draft} onWrong={setTextWrong} />
          </Section>
        </Tabs.Panel>
      </Tabs>
      {open === 'publish' && <Publish automation={saved} onClose={close} />}
      {open === 'simulate' && <Simulate automation={saved} onClose={close} />}
      {blocker.state === 'blocked' && <Discard onStay={blocker.reset} onLeave={blocker.proceed} />}
    </>
  );
}

function titleOf({ isUnfinished, isRefused }: Draft): string {
  if (isUnfinished) return 'It can’t be saved yet';
  return isRefused ? 'The draft was not saved' : 'It can’t be published yet';
}
