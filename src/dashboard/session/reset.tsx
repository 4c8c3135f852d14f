import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { AttemptForm, EmailField, PasswordField } from './attempt-form.tsx';
import { GoneLink } from './gone-link.tsx';
import { send } from './session.ts';
import { SignInPage } from './sign-in-page.tsx';
import { useAttempt } from './use-attempt.ts';

/** Whether this page was opened by the link for a new password. */
export function isReset(): boolean {
  return window.location.pathname === '/dashboard/reset' && window.location.hash.length > 1;
}

/** Lets somebody who has opened the link choose a new password; then they sign in with it. */
export function Reset({ onDone }: { onDone: () => void }) {
  const [token] = useState(() => window.location.hash.slice(1));
  const [email, setEmail] = useState<string | null>();
  useEffect(() => {
    send('POST', '/dashboard/reset', { token })
      .then(async (response) => setEmail(response.ok ? (await response.json()).email : null))
      .catch(() => setEmail(null));
  }, [token]);
  const [password, setPassword] = useState('');
  const { submit, isTrying, wrong, problem } = useAttempt(
    () => send('POST', '/dashboard/reset/password', { token, password }),
    () => {
      window.history.replaceState(null, '', '/dashboard');
      onDone();
    },
  );
  if (email === undefined) return null;
  if (email === null) return <GoneLink />;
  return (
    <SignInPage title="Choose a new password">
      <Text size="sm">You are signed out everywhere by it, and sign in with the new one.</Text>
      <AttemptForm verb="Save" isTrying={isTrying} problem={problem} onSubmit={submit}>
        <EmailField readOnly value={email} onChange={() => {}} error={undefined} />
        <PasswordField isNew label="New password" value={password} onChange={setPassword} error={wrong('password')} />
      </AttemptForm>
    </SignInPage>
  );
}
