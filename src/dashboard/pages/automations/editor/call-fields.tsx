import { Checkbox, Select, Textarea, TextInput } from '@mantine/core';
import type { ValueTemplates } from '../../../../client/index.ts';
import { DurationInput } from '../../../components/duration-input.tsx';
import { Several } from '../../../components/several.tsx';
import { withOptional } from '../../../components/with-optional.ts';
import type { CallWebhookStep } from '../../../definitions.ts';
import { CountsAsSelect } from './counts-as-select.tsx';
import { EndpointSelect } from './endpoint-select.tsx';
import { GoingOnFields } from './going-on.tsx';
import { NextSelect } from './next-select.tsx';
import type { StepFieldsProps } from './step-fields-props.ts';
import { TemplateFields } from './template-fields.tsx';

type Body = NonNullable<CallWebhookStep['body']>;
type BodyKind = 'none' | 'json' | 'form' | 'text';

const METHODS: NonNullable<CallWebhookStep['method']>[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const BODIES: Readonly<Record<BodyKind, string>> = {
  none: 'nothing',
  json: 'values as JSON',
  form: 'values as a form',
  text: 'a text',
};

/** What is asked of which host, and what the run does with the answer. */
export function CallFields({ step, onChange, next }: StepFieldsProps<CallWebhookStep>) {
  const { method = 'POST', path = '', headers = {}, body, expires_after = '', on_failure = 'continue' } = step;
  const set = <Name extends keyof CallWebhookStep>(name: Name, value: CallWebhookStep[Name] | undefined) =>
    onChange(withOptional(step, name, value));
  const { on_failure: _, await: __, ...goingOn } = step;
  return (
    <>
      <EndpointSelect value={step.endpoint_id} onChange={(id) => onChange({ ...step, endpoint_id: id })} />
      <Select
        label="Method"
        data={METHODS}
        value={method}
        onChange={(to) => set('method', (to ?? undefined) as CallWebhookStep['method'])}
        allowDeselect={false}
      />
      <TextInput
        label="Path"
        description="At the host of the endpoint, such as /v1/contacts/{{ profile.identifiers.external_id }}; without one, that of the endpoint."
        maxLength={4_000}
        value={path}
        onChange={({ currentTarget }) => set('path', currentTarget.value || undefined)}
      />
      <HeaderFields value={headers} onChange={(to) => set('headers', Object.keys(to).length > 0 ? to : undefined)} />
      <BodyFields value={body} onChange={(to) => set('body', to)} />
      <Checkbox
        label="With a signature"
        checked={step.signed ?? true}
        onChange={({ currentTarget }) => set('signed', currentTarget.checked ? undefined : false)}
      />
      <Checkbox
        label="Not in quiet hours"
        checked={step.quiet_hours ?? false}
        onChange={({ currentTarget }) => set('quiet_hours', currentTarget.checked || undefined)}
      />
      <CountsAsSelect value={step.counts_as} onChange={(to) => set('counts_as', to)} />
      <DurationInput
        label="Not sent any more after"
        description="Without it, attempts go on for three days."
        value={expires_after}
        onChange={(duration) => set('expires_after', duration || undefined)}
      />
      <GoingOnFields
        value={step.await === false ? 'at-once' : on_failure}
        onChange={(chosen) =>
          onChange(
            chosen === 'at-once'
              ? { ...goingOn, await: false }
              : { ...goingOn, ...(chosen === 'exit' && { on_failure: 'exit' }) },
          )
        }
        words={{ continue: 'When it is answered, or is known not to be', exit: 'When it is answered; else it ends' }}
      />
      <NextSelect value={step.next} onChange={(id) => onChange({ ...step, next: id })} ids={next} />
    </>
  );
}

function HeaderFields({
  value,
  onChange,
}: {
  value: Record<string, string>;
  onChange: (to: Record<string, string>) => void;
}) {
  return (
    <Several<[name: string, text: string]>
      label="Header"
      items={Object.entries(value)}
      onChange={(entries) => onChange(Object.fromEntries(entries))}
      add={{ 'Add a header': () => [`X-Header-${Object.keys(value).length + 1}`, ''] }}
      render={([name, text], change) => (
        <>
          <TextInput
            label="Name"
            description="Secret ones, such as the key of an API, belong to the endpoint."
            maxLength={100}
            value={name}
            // Two of one name would be one.
            onChange={({ currentTarget: { value: to } }) => !(to in value) && change([to, text])}
          />
          <TextInput
            label="Value"
            maxLength={4_000}
            value={text}
            onChange={({ currentTarget }) => change([name, currentTarget.value])}
          />
        </>
      )}
    />
  );
}

function BodyFields({ value, onChange }: { value: Body | undefined; onChange: (to: Body | undefined) => void }) {
  const kind = kindOf(value);
  const type = value?.content_type === undefined ? {} : { content_type: value.content_type };
  return (
    <>
      <Select
        label="What it sends"
        data={Object.entries(BODIES).map(([of, label]) => ({ value: of, label }))}
        value={kind}
        onChange={(to) => onChange(newBody(to as BodyKind, value))}
        allowDeselect={false}
      />
      {value && 'json' in value && (
        <TemplateFields label="Values" value={value.json} onChange={(json) => onChange({ ...type, json })} />
      )}
      {value && 'form' in value && (
        <TemplateFields label="Values" value={value.form} onChange={(form) => onChange({ ...type, form })} />
      )}
      {value && 'text' in value && (
        <Textarea
          label="Text"
          description="With values as {{ profile.attributes.first_name }}."
          autosize
          maxLength={4_000}
          value={value.text}
          onChange={({ currentTarget }) => onChange({ ...type, text: currentTarget.value })}
        />
      )}
      {value && (
        <TextInput
          label="Media type"
          description="If it is another than usual, such as application/xml."
          maxLength={100}
          value={value.content_type ?? ''}
          onChange={({ currentTarget }) =>
            onChange(withOptional(value, 'content_type', currentTarget.value || undefined))
          }
        />
      )}
    </>
  );
}

function kindOf(body: Body | undefined): BodyKind {
  if (!body) return 'none';
  return 'json' in body ? 'json' : 'form' in body ? 'form' : 'text';
}

/** The values stay where another kind has some, too. */
function newBody(kind: BodyKind, before: Body | undefined): Body | undefined {
  const values: ValueTemplates =
    before && 'json' in before ? before.json : before && 'form' in before ? before.form : {};
  if (kind === 'json') return { json: values };
  if (kind === 'form') return { form: values };
  return kind === 'text' ? { text: '' } : undefined;
}
