import { useState } from 'react';
import { AttemptForm, CodeField, EmailField, PasswordField } from './attempt-form.tsx';
import { signInByPassword } from './session.ts';
import { useAttempt } from './use-attempt.ts';

/** Signs a person in: by a password, and then by a code where the person has a second factor. */
export function PasswordForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { submit, isTrying, asksCode, restart, wrong, problem } = useAttempt(() =>
    signInByPassword({ email: email.trim(), password, ...(asksCode && { code }) }),
  );
  return (
    <AttemptForm verb="Sign in" isTrying={isTrying} problem={problem} onSubmit={submit}>
      {asksCode ? (
        <CodeField value={code} onChange={setCode} error={wrong('code')} onRestart={restart} />
      ) : (
        <>
          <EmailField autoFocus value={email} onChange={setEmail} error={wrong('email')} />
          <PasswordField value={password} onChange={setPassword} error={wrong('password')} />
        </>
      )}
    </AttemptForm>
  );
}
