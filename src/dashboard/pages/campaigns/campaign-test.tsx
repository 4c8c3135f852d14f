import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Campaign, CampaignTest, CampaignVariant } from '../../../client/index.ts';
import { DurationInput } from '../../components/duration-input.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { SenderSelect } from '../senders/sender-select.tsx';
import { TemplateSelect } from '../templates/template-select.tsx';
import type { CampaignDraft } from './use-campaigns.ts';
import { fitsCampaign } from './words.ts';

type Kind = 'subject' | 'template_id' | 'sender_id';

const MAX_VARIANTS = 5;
const NONE = 'none';
const KINDS: Readonly<Record<Kind, string>> = { subject: 'Subject', template_id: 'Template', sender_id: 'Sender' };
const UNITS = { m: 'minutes', h: 'hours', d: 'days' };

/** Variants that are tried on some, and how many get nothing. */
export function CampaignTestFields({
  channel,
  value,
  change,
  mayWrite,
}: {
  channel: Campaign['channel'];
  value: CampaignDraft;
  change: (value: CampaignDraft) => void;
  mayWrite: boolean;
}) {
  const { test } = value;
  const set = (to: CampaignTest | null) => change({ ...value, test: to });
  const kinds = Object.entries(KINDS).filter(([kind]) => kind !== 'subject' || channel === 'email');
  return (
    <>
      <Select
        label="Try variants of"
        description="Some try them; the others get the one that does best."
        disabled={!mayWrite}
        data={[{ value: NONE, label: 'Nothing' }, ...kinds.map(([kind, label]) => ({ value: kind, label }))]}
        value={test ? kindOf(test) : NONE}
        onChange={(kind) => set(kind === null || kind === NONE ? null : withKind(test, kind as Kind))}
        allowDeselect={false}
        maw={320}
      />
      {test && <Fields channel={channel} test={test} set={set} mayWrite={mayWrite} />}
      <NumberField
        label="Held out, percent"
        description="So many of a hundred get nothing, so that you can compare what they do."
        min={0}
        max={50}
        allowDecimal={false}
        disabled={!mayWrite}
        value={value.hold_out_percent}
        onChange={(percent) => change({ ...value, hold_out_percent: percent })}
        maw={320}
      />
    </>
  );
}

function kindOf({ variants: [first] }: CampaignTest): Kind {
  if (first?.template_id !== undefined) return 'template_id';
  return first?.sender_id !== undefined ? 'sender_id' : 'subject';
}

function withKind(test: CampaignTest | null, kind: Kind): CampaignTest {
  const variants = [{ [kind]: '' }, { [kind]: '' }];
  return { percent: 20, decide_by: 'clicks', after: 'PT4H', if_unclear: 'first', ...test, variants };
}

function Fields({
  channel,
  test,
  set,
  mayWrite,
}: {
  channel: Campaign['channel'];
  test: CampaignTest;
  set: (test: CampaignTest) => void;
  mayWrite: boolean;
}) {
  const { variants } = test;
  const kind = kindOf(test);
  const setVariants = (some: CampaignVariant[]) => set({ ...test, variants: some });
  return (
    <Stack gap="sm" role="group" aria-label="Variants">
      {variants.map((variant, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its number
        <Group key={i} gap="xs" align="flex-end">
          <VariantField
            kind={kind}
            number={i + 1}
            channel={channel}
            disabled={!mayWrite}
            value={variant[kind] ?? ''}
            onChange={(to) => setVariants(variants.map((one, n) => (n === i ? { [kind]: to } : one)))}
          />
          {variants.length > 2 && mayWrite && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Remove variant ${i + 1}`}
              onClick={() => setVariants(variants.filter((_, n) => n !== i))}
            >
              Remove
            </Button>
          )}
        </Group>
      ))}
      {variants.length < MAX_VARIANTS && mayWrite && (
        <Group>
          <Button size="xs" variant="default" onClick={() => setVariants([...variants, { [kind]: '' }])}>
            Add a variant
          </Button>
        </Group>
      )}
      <NumberField
        label="Who tries them, percent"
        description="With 100 there is no rest: the results compare the variants."
        min={1}
        max={100}
        allowDecimal={false}
        disabled={!mayWrite}
        value={test.percent}
        onChange={(percent) => set({ ...test, percent })}
        maw={320}
      />
      <Select
        label="The best is known by"
        disabled={!mayWrite}
        data={[
          { value: 'clicks', label: 'Clicks' },
          { value: 'opens', label: 'Opens, as far as they are known' },
          { value: 'orders', label: 'Orders' },
        ]}
        value={String(test.decide_by)}
        onChange={(by) => set({ ...test, decide_by: by === 'opens' || by === 'orders' ? by : 'clicks' })}
        allowDeselect={false}
        maw={320}
      />
      <DurationInput
        label="It is decided after"
        description="From when the last of them was sent."
        value={test.after}
        onChange={(after) => set({ ...test, after })}
        units={UNITS}
      />
      <Select
        label="If none is clearly better"
        disabled={!mayWrite}
        data={[
          { value: 'first', label: 'The others get the first' },
          { value: 'wait', label: 'The others wait until somebody chooses' },
        ]}
        value={String(test.if_unclear)}
        onChange={(to) => set({ ...test, if_unclear: to === 'wait' ? 'wait' : 'first' })}
        allowDeselect={false}
        maw={320}
      />
      <Text size="sm" c="dimmed">
        Small tests are often unclear: to tell 4 % from 6 % takes about 1,900 customers for each variant.
      </Text>
    </Stack>
  );
}

function VariantField({
  kind,
  number,
  channel,
  disabled,
  value,
  onChange,
}: {
  kind: Kind;
  number: number;
  channel: Campaign['channel'];
  disabled: boolean;
  value: string;
  onChange: (value: string) => void;
}) {
  const label = `Variant ${number}: ${KINDS[kind].toLowerCase()}`;
  const props = { label, disabled, value, onChange, w: 320 };
  if (kind === 'template_id') {
    return <TemplateSelect {...props} placeholder="Choose a template" fits={fitsCampaign(channel)} />;
  }
  if (kind === 'sender_id') {
    return <SenderSelect {...props} channel={channel === 'sms' ? 'sms' : 'email'} placeholder="Choose a sender" />;
  }
  return (
    <TextInput {...props} required maxLength={1000} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  );
}
