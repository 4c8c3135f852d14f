import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { CodeField, PasswordField } from '../../session/attempt-form.tsx';
import { Enrolment } from './enrolment.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useAsk } from './requests.ts';

/** Sets up a second factor; or switches it off, and draws other recovery codes. */
export function SecondFactor({ enabled, recovery_codes: left }: { enabled: boolean; recovery_codes: number }) {
  const [open, setOpen] = useState<'enrolment' | 'removal' | 'renewal'>();
  const close = () => setOpen(undefined);
  return (
    <Stack>
      <Group gap="xs">
        <Badge color={enabled ? 'green' : 'gray'}>{enabled ? 'on' : 'off'}</Badge>
        <Text size="sm">
          {enabled
            ? `You sign in with the password and a code of your authenticator app. ${left} recovery codes are left.`
            : 'A code of an authenticator app beside the password: who learns your password can not sign in with it alone.'}
        </Text>
      </Group>
      <Group gap="xs">
        {enabled ? (
          <>
            <Button variant="default" onClick={() => setOpen('renewal')}>
              New recovery codes
            </Button>
            <Button variant="light" color="red" onClick={() => setOpen('removal')}>
              Switch it off
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen('enrolment')}>Set it up</Button>
        )}
      </Group>
      {open === 'enrolment' && <Enrolment onClose={close} />}
      {open === 'removal' && <Removal onClose={close} />}
      {open === 'renewal' && <Renewal onClose={close} />}
    </Stack>
  );
}

function Removal({ onClose }: { onClose: () => void }) {
  const removal = useAsk('POST', 'account/second-factor/removal', onClose);
  return (
    <Modal opened onClose={onClose} title="Switch the second factor off?">
      <ProofForm verb="Switch it off" failure="It was not switched off" action={removal} isGrave />
    </Modal>
  );
}

function Renewal({ onClose }: { onClose: () => void }) {
  const renewal = useAsk<object, { recovery_codes: string[] }>('POST', 'account/recovery-codes');
  const isDone = renewal.data !== undefined;
  return (
    <Modal opened onClose={onClose} title="New recovery codes" closeOnClickOutside={!isDone} closeOnEscape={!isDone}>
      {renewal.data ? (
        <RecoveryCodes codes={renewal.data.recovery_codes} onClose={onClose} />
      ) : (
        <ProofForm verb="Draw new ones" failure="None were drawn" action={renewal}>
          <Text size="sm">Those that you have are void then.</Text>
        </ProofForm>
      )}
    </Modal>
  );
}

/** Asks for the password and a code. */
function ProofForm({
  verb,
  failure,
  isGrave = false,
  action: { mutate, isPending, error },
  children,
}: {
  verb: string;
  failure: string;
  isGrave?: boolean;
  action: { mutate: (body: object) => void; isPending: boolean; error: Error | null };
  children?: ReactNode;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { wrong, rest } = refusalOf(error, ['password', 'code']);
  return (
    <ActionForm
      {...{ verb, failure, isPending, isGrave }}
      error={rest}
      isDisabled={password === '' || code.trim() === ''}
      onSubmit={() => mutate({ password, code })}
    >
      {children}
      <PasswordField value={password} onChange={setPassword} error={wrong('password')} />
      <CodeField value={code} onChange={setCode} error={wrong('code')} />
    </ActionForm>
  );
}
