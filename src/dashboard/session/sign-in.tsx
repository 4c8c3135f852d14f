import { Anchor, Code, Text } from '@mantine/core';
import { useState } from 'react';
import { KeyForm } from './key-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Asks for an e-mail address and a password, or for an API key. */
export function SignIn({ reason }: { reason: string | undefined }) {
  const [hasKey, setHasKey] = useState(false);
  return (
    <SignInPage title="Sign in" notice={reason}>
      {hasKey ? <KeyForm /> : <PasswordForm />}
      <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setHasKey(!hasKey)}>
        {hasKey ? 'Use an e-mail address and a password' : 'Use an API key instead'}
      </Anchor>
      <Text size="sm" c="dimmed">
        {hasKey ? (
          <>
            The first start of the service prints a key. The operator can create another with{' '}
            <Code>npm run -s keys -- create</Code>. What you see here depends on its scopes.
          </>
        ) : (
          <>
            The first start of the service prints a link for the owner, who invites others. The operator can make
            another with <Code>npm run -s people -- invite --owner</Code>.
          </>
        )}{' '}
        Developers: see{' '}
        <Anchor href="/docs" inherit underline="always">
          the API reference
        </Anchor>
        .
      </Text>
    </SignInPage>
  );
}
