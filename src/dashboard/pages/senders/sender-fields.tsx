import { Checkbox, NumberInput, PasswordInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { NamedSelect } from '../../components/named-select.tsx';
import { NumberField } from '../../components/number-field.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { useEndpoints } from '../webhooks/use-endpoints.ts';
import { type SenderValues, takesChannel } from './sender-values.ts';
import { TWILIO_FIELDS, TwilioFields } from './twilio-fields.tsx';
import { CLASS_WORDS } from './words.ts';

interface Props {
  values: SenderValues;
  onChange: (changed: Partial<SenderValues>) => void;
  /** Why the service refused a field. */
  wrong: (field: string) => string | undefined;
}

/** What a refusal can name, of what there is a field of. */
export const SENDER_FIELDS = [
  ...['name', 'from_email', 'from_name', 'reply_to', 'class', 'dkim_selector', 'dkim_signing'],
  ...['max_per_second', 'max_per_day', 'max_concurrent', 'warm_up.first_per_day', 'warm_up.target_per_day'],
  ...[
    'settings.host',
    'settings.port',
    'settings.security',
    'settings.user',
    'settings.password',
    'settings.shared',
    'settings.endpoint_id',
    ...TWILIO_FIELDS.map((field) => `settings.${field}`),
  ],
];

const SECURITIES = [
  { value: 'starttls', label: 'After a greeting in clear (STARTTLS)' },
  { value: 'tls', label: 'From the start (TLS)' },
];

const KINDS = [
  { value: 'smtp', label: 'E-mail, by a server (SMTP)' },
  { value: 'webhook', label: 'Text messages, by a webhook' },
  { value: 'twilio', label: 'Text messages, by Twilio' },
];

/** Whom messages come from, and what takes them. */
export function SenderFields({
  isNew,
  hasPassword,
  ...props
}: Props & {
  /** Whether its kind can be chosen still. */
  isNew: boolean;
  hasPassword: boolean;
}) {
  const { values, onChange, wrong } = props;
  const { kind } = values;
  const line: Line = (name, field, label, more) => (
    <TextInput
      label={label}
      value={values[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
      error={wrong(field)}
      {...more}
    />
  );
  return (
    <>
      {line('name', 'name', 'Name', {
        description: 'What the sender is, for you.',
        required: true,
        maxLength: 100,
        'data-autofocus': true,
      })}
      {isNew && (
        <Select
          label="Kind"
          data={KINDS}
          value={kind}
          onChange={(chosen) => onChange({ kind: chosen as SenderValues['kind'] })}
          allowDeselect={false}
        />
      )}
      {kind === 'twilio' && <TwilioFields isNew={isNew} {...props} />}
      {kind === 'webhook' && (
        <>
          {line('fromName', 'from_name', 'From', {
            description: 'A name or a number, for what sends the messages on.',
            maxLength: 100,
          })}
          <EndpointField {...props} />
        </>
      )}
      {takesChannel(kind, 'email') && <AddressFields line={line} />}
      {kind === 'smtp' && <ServerFields hasPassword={hasPassword} {...props} />}
      <LimitFields {...props} />
      {kind !== 'outbox' && <WarmUpFields {...props} />}
    </>
  );
}

type Line = (
  name: 'name' | 'fromEmail' | 'fromName' | 'replyTo',
  field: string,
  label: string,
  more: object,
) => ReactNode;

function AddressFields({ line }: { line: Line }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {line('fromEmail', 'from_email', 'From, the address', {
          required: true,
          maxLength: 254,
          placeholder: 'hello@shop.example',
        })}
        {line('fromName', 'from_name', 'From, the name', { maxLength: 100, placeholder: 'Café Löwe' })}
      </SimpleGrid>
      {line('replyTo', 'reply_to', 'Answers go to', { maxLength: 254, placeholder: 'The address it is from' })}
    </>
  );
}

/** The endpoint of the store that takes text messages. */
function EndpointField({ values, onChange, wrong }: Props) {
  return (
    <NamedSelect
      label="Endpoint"
      description="It gets each message as a signed webhook, sms.send."
      required
      known={useEndpoints().data?.endpoints}
      mayList={useAllows('webhooks:manage')}
      value={values.endpointId}
      onChange={(endpointId) => onChange({ endpointId })}
      error={wrong('settings.endpoint_id')}
    />
  );
}

function ServerFields({ values, onChange, wrong, hasPassword }: Props & { hasPassword: boolean }) {
  return (
    <>
      <Checkbox
        label="By the server of the operator"
        description="For one sender of the store. The domain then names the store in a TXT record."
        checked={values.isShared}
        onChange={({ currentTarget }) => onChange({ isShared: currentTarget.checked })}
        error={wrong('settings.shared')}
      />
      {!values.isShared && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Server"
              required
              maxLength={253}
              placeholder="smtp.relay.example"
              value={values.host}
              onChange={({ currentTarget }) => onChange({ host: currentTarget.value })}
              error={wrong('settings.host')}
            />
            <NumberField
              label="Port"
              min={1}
              max={65_535}
              allowDecimal={false}
              value={values.port}
              onChange={(port) => onChange({ port })}
              error={wrong('settings.port')}
            />
          </SimpleGrid>
          <Select
            label="It encrypts"
            data={SECURITIES}
            value={values.security}
            onChange={(security) => onChange({ security: security as SenderValues['security'] })}
            allowDeselect={false}
            error={wrong('settings.security')}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="User"
              maxLength={255}
              autoComplete="off"
              value={values.user}
              onChange={({ currentTarget }) => onChange({ user: currentTarget.value })}
              error={wrong('settings.user')}
            />
            <PasswordInput
              label="Password"
              description={hasPassword ? 'Empty: the one that it has.' : undefined}
              maxLength={1_000}
              autoComplete="new-password"
              value={values.password}
              onChange={({ currentTarget }) => onChange({ password: currentTarget.value })}
              error={wrong('settings.password')}
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            />
          </SimpleGrid>
        </>
      )}
      <Checkbox
        label="Sign messages here (DKIM)"
        description="With a key of this sender, whose TXT record is then shown. Otherwise the relay signs."
        checked={values.signsDkim}
        onChange={({ currentTarget }) => onChange({ signsDkim: currentTarget.checked })}
        error={wrong('dkim_signing')}
      />
      <TextInput
        label="DKIM selector"
        description="The name under which the key is published: s1 for s1._domainkey.shop.example."
        required={values.signsDkim}
        maxLength={100}
        value={values.dkimSelector}
        onChange={({ currentTarget }) => onChange({ dkimSelector: currentTarget.value })}
        error={wrong('dkim_selector')}
      />
    </>
  );
}

/** What a sender begins with that is asked to warm up. */
const USUAL_WARM_UP = { first: 50, target: 10_000 };

function WarmUpFields({ values: { warmUp }, onChange, wrong }: Props) {
  return (
    <>
      <Checkbox
        label="Warm up"
        description="It begins with few messages in a day, and sends twice as many on each day after that."
        checked={warmUp !== undefined}
        onChange={({ currentTarget }) => onChange({ warmUp: currentTarget.checked ? USUAL_WARM_UP : undefined })}
      />
      {warmUp && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberField
            label="Messages on the first day"
            min={1}
            max={1_000_000}
            allowDecimal={false}
            value={warmUp.first}
            onChange={(first) => onChange({ warmUp: { ...warmUp, first } })}
            error={wrong('warm_up.first_per_day')}
          />
          <NumberField
            label="Warm with as many in a day"
            min={2}
            max={100_000_000}
            allowDecimal={false}
            value={warmUp.target}
            onChange={(target) => onChange({ warmUp: { ...warmUp, target } })}
            error={wrong('warm_up.target_per_day')}
          />
        </SimpleGrid>
      )}
    </>
  );
}

function LimitFields({ values, onChange, wrong }: Props) {
  return (
    <>
      <Select
        label="It sends"
        data={Object.entries(CLASS_WORDS).map(([value, label]) => ({ value, label }))}
        value={values.class}
        onChange={(value) => onChange({ class: value as SenderValues['class'] })}
        allowDeselect={false}
        error={wrong('class')}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberField
          label="Messages in a second"
          description="At most"
          min={1}
          max={10_000}
          allowDecimal={false}
          value={values.maxPerSecond}
          onChange={(maxPerSecond) => onChange({ maxPerSecond })}
          error={wrong('max_per_second')}
        />
        <NumberInput
          label="Messages in a day"
          description="At most"
          placeholder="Any number"
          min={1}
          max={100_000_000}
          allowDecimal={false}
          value={values.maxPerDay ?? ''}
          onChange={(to) => onChange({ maxPerDay: typeof to === 'number' ? to : undefined })}
          error={wrong('max_per_day')}
        />
        <NumberField
          label="Connections"
          description="At a time, at most"
          min={1}
          max={100}
          allowDecimal={false}
          value={values.maxConcurrent}
          onChange={(maxConcurrent) => onChange({ maxConcurrent })}
          error={wrong('max_concurrent')}
        />
      </SimpleGrid>
    </>
  );
}
