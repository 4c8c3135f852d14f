import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { signInByPassword } from './session.ts';
import { useAttempt } from './use-attempt.ts';

/** Signs a person in. */
export function PasswordForm() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { submit, isTrying, wrong, problem } = useAttempt(() => signInByPassword(email.trim(), password));
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="E-mail address"
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={wrong('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={wrong('password')}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isTrying}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
