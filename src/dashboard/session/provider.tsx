import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { begin } from './session.ts';

const SIGN_IN = '/dashboard/sign-in';
const SIGNED_IN = '/dashboard/signed-in';
/** Where the name of the store is kept that was given last. */
const STORED_STORE = 'footfall.store';

/** Why somebody was not signed in, by what the address of the page ends in. */
const REASONS: Readonly<Record<string, string>> = {
  no_provider: 'There is no store of this name whose people sign in so.',
  expired: 'It took longer than ten minutes, or was begun in another browser or tab. Try again.',
  unreachable: 'The identity provider can not be reached. Try again in a moment.',
  refused: 'The identity provider has not signed you in.',
  misconfigured:
    'The identity provider refuses the service. Tell an owner of the store, who has set its client and secret.',
  invalid: 'The identity provider answers with what can not be trusted. Tell an owner of the store.',
  email_not_verified: 'The identity provider does not say that your e-mail address is verified.',
  not_invited: 'You are not in this store. Ask an owner of the store for an invitation.',
  no_role: 'None of your groups has a role in this store. Ask an owner of the store.',
  other_account:
    'Your e-mail address is that of another account of the identity provider. Ask an owner of the store to remove that person.',
  too_many_people: 'The store has as many people as it can have.',
  busy: 'Too many people sign in at this moment. Try again in a minute.',
};

/** What this page is opened with, once. */
export interface Opened {
  /** What went wrong with a sign-in by an identity provider. */
  problem?: string;
  /** The store to which a page of another site would have somebody sign in. */
  store?: string;
}

export function openedWith(): Opened {
  const { pathname, hash } = window.location;
  if (pathname !== SIGN_IN) return {};
  window.history.replaceState(null, '', '/dashboard');
  const store = new URLSearchParams(hash.slice(1)).get('store');
  if (store) return { store };
  return hash === '' ? {} : { problem: REASONS[hash.slice(1)] ?? 'You were not signed in. Try again.' };
}

/** Where somebody has signed in by an identity provider just now, goes on to the page that was asked for. */
export function endProviderSignIn(): void {
  const { pathname, hash } = window.location;
  if (pathname !== SIGNED_IN) return;
  const to = hash.slice(1);
  window.history.replaceState(null, '', /^\/dashboard(?:[/?#]|$)/.test(to) ? to : '/dashboard');
  begin();
}

/** Asks for the store by whose identity provider somebody signs in. */
export function ProviderForm({ problem, store: asked }: Opened) {
  const [store, setStore] = useState(() => asked ?? localStorage.getItem(STORED_STORE) ?? '');
  const [isLeaving, setIsLeaving] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsLeaving(true);
    const name = store.trim();
    localStorage.setItem(STORED_STORE, name);
    window.location.assign(providerPage(`${SIGN_IN}/${encodeURIComponent(name)}`));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {asked !== undefined && (
          <Alert color="yellow">
            Another page has led you here to sign in to this store. Go on only if it is yours.
          </Alert>
        )}
        <Text size="sm">You go on to the page where your company signs you in, and come back from there.</Text>
        <TextInput
          label="Store"
          description="The name of the store, as its owner has told you."
          autoComplete="organization"
          spellCheck={false}
          required
          autoFocus
          maxLength={255}
          value={store}
          onChange={({ currentTarget }) => setStore(currentTarget.value)}
        />
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isLeaving}>
          Go on
        </Button>
      </Stack>
    </form>
  );
}

/** The page by which somebody signs in, and comes back to this one. */
function providerPage(path: string): string {
  const { pathname, search } = window.location;
  return `${path}?${new URLSearchParams({ return_to: pathname + search })}`;
}
