import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { SenderValues } from './sender-values.ts';

/** Of `settings`, as a refusal names them. */
export const TWILIO_FIELDS = [
  'account_sid',
  'auth_token',
  'api_key_sid',
  'api_key_secret',
  'from',
  'messaging_service_sid',
] as const;

interface Props {
  isNew: boolean;
  values: SenderValues;
  onChange: (changed: Partial<SenderValues>) => void;
  wrong: (field: string) => string | undefined;
}

type Name = 'accountSid' | 'authToken' | 'apiKeySid' | 'apiKeySecret' | 'from' | 'messagingServiceSid';

/** The account at Twilio, what logs in to it, and what text messages come from. */
export function TwilioFields({ isNew, values, onChange, wrong }: Props) {
  const propsOf = (name: Name, field: (typeof TWILIO_FIELDS)[number]) => ({
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [name]: currentTarget.value }),
    error: wrong(`settings.${field}`),
  });
  const kept = isNew ? undefined : 'Empty: the one that it has.';
  return (
    <>
      <TextInput
        label="Account SID"
        required
        maxLength={34}
        placeholder="AC…"
        autoComplete="off"
        {...propsOf('accountSid', 'account_sid')}
      />
      <PasswordInput
        label="Auth token"
        description={kept ?? 'It logs in, unless an API key does, and proves what Twilio tells.'}
        maxLength={200}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the auth token' }}
        {...propsOf('authToken', 'auth_token')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="API key SID"
          description="In place of the auth token"
          maxLength={34}
          placeholder="SK…"
          autoComplete="off"
          {...propsOf('apiKeySid', 'api_key_sid')}
        />
        <PasswordInput
          label="API key secret"
          description={kept ?? 'That of the key'}
          maxLength={200}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the API key secret' }}
          {...propsOf('apiKeySecret', 'api_key_secret')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="From"
          description="A number of the account, or a name"
          maxLength={16}
          placeholder="+15005550006"
          {...propsOf('from', 'from')}
        />
        <TextInput
          label="Messaging service SID"
          description="In place of a number"
          maxLength={34}
          placeholder="MG…"
          {...propsOf('messagingServiceSid', 'messaging_service_sid')}
        />
      </SimpleGrid>
    </>
  );
}
