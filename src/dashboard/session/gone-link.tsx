import { Anchor, Text } from '@mantine/core';
import { SignInPage } from './sign-in-page.tsx';

/** Says of a link that it leads nowhere. */
export function GoneLink() {
  return (
    <SignInPage title="This link is not valid">
      <Text size="sm">It was used, revoked, or is too old. Ask whoever gave it to you for another.</Text>
      <Anchor href="/dashboard" size="sm" underline="always">
        Sign in
      </Anchor>
    </SignInPage>
  );
}
