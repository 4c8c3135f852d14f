import { Button, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { AttemptForm, CodeField, EmailField, PasswordField } from './attempt-form.tsx';
import { GoneLink } from './gone-link.tsx';
import { acceptInvitation, send } from './session.ts';
import { SignInPage } from './sign-in-page.tsx';
import { useAttempt } from './use-attempt.ts';

const PATHS = ['/dashboard/setup', '/dashboard/invitation'];

/** Whether this page was opened by the link of an invitation. */
export function isAcceptance(): boolean {
  return PATHS.includes(window.location.pathname) && window.location.hash.length > 1;
}

interface Invitation {
  store: string;
  email: string | null;
  role: string;
  has_password: boolean;
  /** By which one can, or has to join. */
  identity_provider: { path: string; required: boolean } | null;
}

/** Lets somebody who has opened the link of an invitation join the store. */
export function Acceptance({ onDone }: { onDone: () => void }) {
  const [token] = useState(() => window.location.hash.slice(1));
  const [invitation, setInvitation] = useState<Invitation | 'gone' | undefined>();
  const leave = () => {
    window.history.replaceState(null, '', '/dashboard');
    onDone();
  };
  useEffect(() => {
    send('POST', '/dashboard/invitation', { token })
      .then(async (response) => setInvitation(response.ok ? await response.json() : 'gone'))
      .catch(() => setInvitation('gone'));
  }, [token]);

  if (invitation === undefined) return null;
  if (invitation === 'gone') return <GoneLink />;
  return <Join token={token} invitation={invitation} onDone={leave} />;
}

function Join({ token, invitation, onDone }: { token: string; invitation: Invitation; onDone: () => void }) {
  const [email, setEmail] = useState(invitation.email ?? '');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const isNew = !invitation.has_password;
  const [code, setCode] = useState('');
  const { submit, isTrying, asksCode, restart, wrong, problem } = useAttempt(
    () =>
      acceptInvitation({
        ...{ token, password },
        ...(isNew && { name }),
        ...(!invitation.email && { email }),
        ...(asksCode && { code }),
      }),
    onDone,
  );
  const { identity_provider: provider } = invitation;
  const hasPassword = !provider?.required;
  return (
    <SignInPage title={`Join ${invitation.store}`}>
      <Text size="sm">
        You become {'aeio'.includes(invitation.role[0] as string) ? 'an' : 'a'} {invitation.role} of this store.
        {hasPassword && !isNew && ' Give the password that you have from another store.'}
      </Text>
      {provider && (
        <Button component="a" href={provider.path} variant={hasPassword ? 'default' : 'filled'}>
          Join with the account of your company
        </Button>
      )}
      {hasPassword && (
        <AttemptForm verb="Join" isTrying={isTrying} problem={problem} onSubmit={submit}>
          {asksCode ? (
            <CodeField value={code} onChange={setCode} error={wrong('code')} onRestart={restart} />
          ) : (
            <>
              <EmailField
                readOnly={invitation.email !== null}
                value={email}
                onChange={setEmail}
                error={wrong('email')}
              />
              {isNew && (
                <TextInput
                  label="Name"
                  autoComplete="name"
                  required
                  maxLength={100}
                  value={name}
                  onChange={({ currentTarget }) => setName(currentTarget.value)}
                  error={wrong('name')}
                />
              )}
              <PasswordField isNew={isNew} value={password} onChange={setPassword} error={wrong('password')} />
            </>
          )}
        </AttemptForm>
      )}
    </SignInPage>
  );
}
