import { useState } from 'react';
import { AttemptForm, EmailField, PasswordField } from './attempt-form.tsx';
import { signInByPassword } from './session.ts';
import { useAttempt } from './use-attempt.ts';

/** Signs a person in. */
export function PasswordForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { submit, isTrying, wrong, problem } = useAttempt(() => signInByPassword(email.trim(), password));
  return (
    <AttemptForm verb="Sign in" isTrying={isTrying} problem={problem} onSubmit={submit}>
      <EmailField autoFocus value={email} onChange={setEmail} error={wrong('email')} />
      <PasswordField value={password} onChange={setPassword} error={wrong('password')} />
    </AttemptForm>
  );
}
