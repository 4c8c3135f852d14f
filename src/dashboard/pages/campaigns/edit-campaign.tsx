import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Campaign } from '../../../client/index.ts';
import { Section } from '../../components/section.tsx';
import { Failure } from '../../components/states.tsx';
import { Stale } from '../../drafts/stale.tsx';
import type { SavedDraft } from '../../drafts/use-saved-draft.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { PoolSelect } from '../coupons/pool-select.tsx';
import { SenderSelect } from '../senders/sender-select.tsx';
import { TemplateSelect } from '../templates/template-select.tsx';
import { CampaignAudience } from './campaign-audience.tsx';
import { CampaignPreview } from './campaign-preview.tsx';
import { CampaignTestFields } from './campaign-test.tsx';
import { CheckAndSend } from './check-and-send.tsx';
import { ScheduleStep } from './schedule-step.tsx';
import { type CampaignDraft, useCampaignDraft } from './use-campaigns.ts';
import { fitsCampaign } from './words.ts';

const STEPS = ['Content', 'Audience', 'Schedule', 'Check and send'] as const;

/** A draft in four steps, each of which saves what was changed before. */
export function EditCampaign({ campaign }: { campaign: Campaign }) {
  const draft = useCampaignDraft(campaign);
  const [step, setStep] = useState(0);
  const [at, setAt] = useState('');
  const mayWrite = useAllows('messages:write');
  const go = (to: number) => {
    if (draft.isChanged && mayWrite) draft.save();
    setStep(to);
  };
  const parts: readonly ReactNode[] = [
    <Content key="content" campaign={campaign} draft={draft} mayWrite={mayWrite} />,
    <CampaignAudience key="audience" draft={draft} mayWrite={mayWrite} />,
    <ScheduleStep
      key="when"
      isText={campaign.channel === 'sms'}
      at={at}
      onAt={setAt}
      timing={draft.value.timing}
      onTiming={(timing) => draft.change({ ...draft.value, timing })}
      mayWrite={mayWrite}
    />,
    <CheckAndSend key="send" campaign={draft.saved} at={at} isSaved={!draft.isChanged && !draft.isSaving} />,
  ];
  return (
    <Section title={`Step ${step + 1} of ${STEPS.length}: ${STEPS[step]}`}>
      <Group gap="xs" component="nav" aria-label="Steps">
        {STEPS.map((name, i) => (
          <Button
            key={name}
            size="xs"
            variant={i === step ? 'filled' : 'default'}
            aria-current={i === step ? 'step' : undefined}
            onClick={() => go(i)}
          >
            {i + 1}. {name}
          </Button>
        ))}
      </Group>
      <Stale draft={draft} />
      {draft.refusal && <Failure error={draft.refusal} title="It was not saved" />}
      {draft.error && <Failure error={draft.error} title="It was not saved" />}
      {parts[step]}
      <Group justify="space-between">
        <Button variant="default" disabled={step === 0} onClick={() => go(step - 1)}>
          Back
        </Button>
        {step < STEPS.length - 1 && (
          <Button loading={draft.isSaving} onClick={() => go(step + 1)}>
            Next
          </Button>
        )}
      </Group>
    </Section>
  );
}

function Content({
  campaign: { channel },
  draft: { value, change, saved },
  mayWrite,
}: {
  campaign: Campaign;
  draft: SavedDraft<Campaign, CampaignDraft>;
  mayWrite: boolean;
}) {
  const isText = channel === 'sms';
  return (
    <>
      <TextInput
        label="Name"
        required
        maxLength={100}
        readOnly={!mayWrite}
        value={value.name}
        onChange={({ currentTarget }) => change({ ...value, name: currentTarget.value })}
        maw={480}
      />
      <TemplateSelect
        description="What it says: the version that is current once it is scheduled."
        placeholder="Choose a template"
        disabled={!mayWrite}
        fits={fitsCampaign(channel)}
        value={value.template_id ?? ''}
        onChange={(id) => change({ ...value, template_id: id || null })}
        clearable
        w={320}
      />
      {!isText && (
        <TextInput
          label="Subject"
          description="In place of that of the template."
          placeholder="That of the template"
          maxLength={1000}
          readOnly={!mayWrite}
          value={value.subject ?? ''}
          onChange={({ currentTarget }) => change({ ...value, subject: currentTarget.value || null })}
          maw={480}
        />
      )}
      <SenderSelect
        channel={isText ? 'sms' : 'email'}
        placeholder="The default sender"
        disabled={!mayWrite}
        value={value.sender_id ?? ''}
        onChange={(id) => change({ ...value, sender_id: id || null })}
        w={320}
      />
      <PoolSelect
        label="Coupon pool"
        description="From which each recipient gets a code, for templates that show {{ coupon.code }}."
        placeholder="No codes"
        disabled={!mayWrite}
        value={value.coupon_pool_id ?? ''}
        onChange={(id) => change({ ...value, coupon_pool_id: id || null })}
        clearable
        w={320}
      />
      <CampaignTestFields channel={channel} value={value} change={change} mayWrite={mayWrite} />
      <CampaignPreview campaign={saved} />
    </>
  );
}
