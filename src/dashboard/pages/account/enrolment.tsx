import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionForm } from '../../components/action-form.tsx';
import { CopyableCode } from '../../components/copyable-code.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { CodeField, PasswordField } from '../../session/attempt-form.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useAsk } from './requests.ts';

interface Offer {
  secret: string;
  uri: string;
}

/** Sets up a second factor: the password, what the app takes over, a first code of it, and the recovery codes. */
export function Enrolment({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>();
  const offer = useAsk<object, Offer>('POST', 'account/second-factor');
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={codes ? 'Your recovery codes' : 'Set up a second factor'}
      // What is shown this once is not to be lost by a slip.
      closeOnClickOutside={!codes}
      closeOnEscape={!codes}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : offer.data ? (
        <FirstCode offer={offer.data} onDone={setCodes} />
      ) : (
        <Password onSubmit={(password) => offer.mutate({ password })} error={offer.error} isPending={offer.isPending} />
      )}
    </Modal>
  );
}

function Password({
  onSubmit,
  error,
  isPending,
}: {
  onSubmit: (password: string) => void;
  error: Error | null;
  isPending: boolean;
}) {
  const [password, setPassword] = useState('');
  const { wrong, rest } = refusalOf(error, ['password']);
  return (
    <ActionForm
      verb="Continue"
      failure="It was not begun"
      error={rest}
      isPending={isPending}
      isDisabled={password === ''}
      onSubmit={() => onSubmit(password)}
    >
      <PasswordField value={password} onChange={setPassword} error={wrong('password')} />
    </ActionForm>
  );
}

function FirstCode({ offer: { secret, uri }, onDone }: { offer: Offer; onDone: (codes: string[]) => void }) {
  const [code, setCode] = useState('');
  const enabling = useAsk<object, { recovery_codes: string[] }>('PUT', 'account/second-factor', (answer) =>
    onDone(answer.recovery_codes),
  );
  const { wrong, rest } = refusalOf(enabling.error, ['code']);
  return (
    <ActionForm
      verb="Switch it on"
      failure="It was not switched on"
      error={rest}
      isPending={enabling.isPending}
      isDisabled={code.trim() === ''}
      onSubmit={() => enabling.mutate({ code: code.replaceAll(/\s/g, '') })}
    >
      <Text size="sm">
        Scan this with your authenticator app, or type the key into it. Then give the code that it shows.
      </Text>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <CopyableCode code={(secret.match(/.{1,4}/g) ?? []).join(' ')} label="Key for the authenticator app" />
      <CodeField value={code} onChange={setCode} error={wrong('code')} />
    </ActionForm>
  );
}
