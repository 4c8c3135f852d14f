import { Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorOf } from '../../client/error.ts';
import { signIn } from './session.ts';

/** Asks for an API key, and tries it out. */
export function KeyForm() {
  const [apiKey, setApiKey] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isTrying, setIsTrying] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTrying(true);
    setProblem(undefined);
    const found = await problemWith(apiKey.trim());
    if (found === undefined) return;
    setIsTrying(false);
    setProblem(found);
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="API key"
          description="Kept in this browser until you close it or sign out. No page can read it."
          placeholder="ffk_…"
          autoComplete="off"
          spellCheck={false}
          required
          autoFocus
          value={apiKey}
          onChange={({ currentTarget }) => setApiKey(currentTarget.value)}
          error={problem}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
        />
        <Button type="submit" loading={isTrying}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Signs in with a key, whatever its scopes; what is wrong with it where that fails. */
async function problemWith(apiKey: string): Promise<string | undefined> {
  // A header takes no others.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) return 'This is not an API key.';
  try {
    const response = await signIn(apiKey);
    if (response.ok) return undefined;
    if (response.status === 401) return 'This key is not valid. It may be mistyped, revoked or expired.';
    return `The service did not accept it: ${errorOf(response, await response.text()).message}`;
  } catch {
    return 'The service did not respond. Try again in a moment.';
  }
}
