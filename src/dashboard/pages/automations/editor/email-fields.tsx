import { Checkbox, Select, Text, TextInput } from '@mantine/core';
import { DurationInput } from '../../../components/duration-input.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { SendEmailStep } from '../../../definitions.ts';
import { useAllows } from '../../../session/current-key.tsx';
import { useSenders } from '../../senders/use-senders.ts';
import { useMailTemplates } from '../../templates/use-templates.ts';
import { GoingOnFields } from './going-on.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';

/** Which template is sent by whom, and whether the run waits for what becomes of it. */
export function EmailFields({ step, onChange, next }: StepFieldsProps<SendEmailStep>) {
  const { template_version, data = {}, expires_after = '', on_failure = 'continue' } = step;
  const set = <Name extends keyof SendEmailStep>(name: Name, value: SendEmailStep[Name] | undefined) =>
    onChange(withOptional(step, name, value));
  const { on_failure: _, await: __, ...goingOn } = step;
  return (
    <>
      <TemplateSelect
        value={step.template_id}
        onChange={(id) => onChange({ ...withOptional(step, 'template_version', undefined), template_id: id })}
      />
      {template_version === undefined ? (
        <Text size="sm" c="dimmed">
          The version that is current when the automation is published is sent from then on.
        </Text>
      ) : (
        <Checkbox
          label={`Stay with version ${template_version} of the template`}
          description="Otherwise the one is sent that is current when the automation is published."
          checked
          onChange={() => set('template_version', undefined)}
        />
      )}
      <SenderSelect value={step.sender_id} onChange={(id) => set('sender_id', id)} />
      <TemplateFields
        label="Data"
        value={data}
        onChange={(values) => set('data', Object.keys(values).length > 0 ? values : undefined)}
      />
      <DurationInput
        label="Not sent any more after"
        description="Without it, it is tried for 19 hours."
        value={expires_after}
        onChange={(duration) => set('expires_after', duration || undefined)}
      />
      <GoingOnFields
        value={step.await ? on_failure : 'at-once'}
        onChange={(chosen) =>
          onChange(
            chosen === 'at-once'
              ? goingOn
              : { ...goingOn, await: 'sent', ...(chosen === 'exit' && { on_failure: 'exit' }) },
          )
        }
        words={{
          continue: 'When the e-mail is sent, or is known not to be',
          exit: 'When the e-mail is sent, or the customer may not get it; else it ends',
        }}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}

/** Chooses a template by its name; whose key can't list them gives its id. */
function TemplateSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const mayList = useAllows('messages:read');
  const templates = useMailTemplates();
  if (!mayList) {
    return (
      <TextInput
        label="Template"
        description="Its id: your key does not allow to list templates."
        maxLength={64}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const usable = (templates ?? []).filter(({ id, status }) => status !== 'archived' || id === value);
  const known = usable.map(({ id, name, status }) => ({
    value: id,
    label: status === 'published' ? name : `${name} (${status === 'archived' ? 'archived' : 'not published'})`,
  }));
  return (
    <Select
      label="Template"
      placeholder="Choose one"
      description={templates?.length === 0 && 'There is none for e-mail yet.'}
      searchable
      data={withUnknown(known, value, templates !== undefined)}
      value={value || null}
      onChange={(id) => onChange(id ?? '')}
      allowDeselect={false}
    />
  );
}

/** Chooses a sender by its name, or none: then it is the store's default one. */
function SenderSelect({
  value = '',
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  const mayList = useAllows('messages:read');
  const senders = useSenders();
  const description = 'Without one, it comes from the default sender of the store at that time.';
  if (!mayList) {
    return (
      <TextInput
        label="Sender"
        description={`${description} Give its id: your key does not allow to list senders.`}
        maxLength={64}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    );
  }
  const known = (senders ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Select
      label="Sender"
      placeholder="The default sender"
      description={description}
      data={withUnknown(known, value, senders !== undefined)}
      value={value || null}
      onChange={(id) => onChange(id ?? undefined)}
      clearable
    />
  );
}

/** The choices, and what is chosen already though it is not among them. */
function withUnknown(known: readonly { value: string; label: string }[], value: string, isRead: boolean) {
  if (value === '' || known.some((one) => one.value === value)) return [...known];
  return [...known, { value, label: isRead ? `${value} (not there)` : value }];
}
