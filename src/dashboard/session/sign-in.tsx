import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { KeyForm } from './key-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { openedWith, ProviderForm } from './provider.tsx';
import { SignInPage } from './sign-in-page.tsx';

type Way = 'password' | 'provider' | 'key';

/** What each way to sign in is called where there is another. */
const WAYS: Readonly<Record<Way, string>> = {
  password: 'Use an e-mail address and a password',
  provider: 'Use the account of your company',
  key: 'Use an API key instead',
};

/** Asks for an e-mail address and a password, for the store by whose identity provider somebody signs in, or for an API key. */
export function SignIn({ reason }: { reason: string | undefined }) {
  const [opened] = useState(openedWith);
  const [way, setWay] = useState<Way>((opened.problem ?? opened.store) ? 'provider' : 'password');
  return (
    <SignInPage title="Sign in" notice={reason}>
      {way === 'password' && <PasswordForm />}
      {way === 'provider' && <ProviderForm {...opened} />}
      {way === 'key' && <KeyForm />}
      <Stack gap="xs" align="flex-start">
        {(Object.keys(WAYS) as Way[])
          .filter((other) => other !== way)
          .map((other) => (
            <Anchor
              key={other}
              component="button"
              type="button"
              size="sm"
              underline="always"
              onClick={() => setWay(other)}
            >
              {WAYS[other]}
            </Anchor>
          ))}
      </Stack>
      <Text size="sm" c="dimmed">
        {way === 'key' ? (
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
