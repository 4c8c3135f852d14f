import { Button, Group, PasswordInput, SimpleGrid, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentityProvider, IdentityProviderInput } from '../../../../client/index.ts';
import { useClient } from '../../../api/client.tsx';
import { ActionForm } from '../../../components/action-form.tsx';
import { CopyableCode } from '../../../components/copyable-code.tsx';
import { Deletion } from '../../../components/deletion.tsx';
import { refusalOf } from '../../../components/refusal.ts';
import { useCaller } from '../../../session/current-caller.tsx';
import { BreakGlass, DefaultRole, RoleRules } from './role-fields.tsx';

const FIELDS = ['issuer', 'client_id', 'client_secret', 'groups_claim', 'default_role', 'break_glass_id'];

/** The settings of the provider, and what is to be registered there. */
export function ProviderForm({
  provider,
  onRemoved,
}: {
  provider: IdentityProvider | undefined;
  onRemoved: () => void;
}) {
  const client = useClient();
  const queryClient = useQueryClient();
  const storeId = useCaller()?.store.id;
  const [values, setValues] = useState<IdentityProviderInput>(() => inputOf(provider));
  const change = (changed: Partial<IdentityProviderInput>) => setValues({ ...values, ...changed });
  const [isRemoving, { open, close }] = useDisclosure();
  const saving = useMutation({
    mutationFn: ({ client_secret: secret, ...given }: IdentityProviderInput) =>
      client.setIdentityProvider({ ...given, ...(secret && { client_secret: secret }) }),
    onSuccess: (after) => {
      queryClient.setQueryData(['getIdentityProvider', {}], after);
      notifications.show({ title: 'Identity provider', message: 'The settings are saved. Try them out now.' });
    },
  });
  const { wrong, rest } = refusalOf(saving.error, FIELDS);
  const page = `${window.location.origin}/dashboard/sign-in/${storeId}`;
  return (
    <>
      <Text size="sm">Register this callback address at the provider, for a client of the kind “web application”:</Text>
      <CopyableCode code={`${page}/callback`} label="Callback address" />
      <ActionForm
        verb="Save"
        failure="The identity provider was not saved"
        error={rest}
        isPending={saving.isPending}
        onSubmit={() => saving.mutate(values)}
      >
        <TextInput
          label="Issuer"
          description="The address by which the provider names itself."
          placeholder="https://"
          required
          maxLength={512}
          value={values.issuer}
          onChange={({ currentTarget }) => change({ issuer: currentTarget.value })}
          error={wrong('issuer')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Client ID"
            required
            maxLength={255}
            value={values.client_id}
            onChange={({ currentTarget }) => change({ client_id: currentTarget.value })}
            error={wrong('client_id')}
          />
          <PasswordInput
            label="Client secret"
            autoComplete="off"
            required={!provider}
            {...(provider && { placeholder: 'as it is' })}
            maxLength={1024}
            value={values.client_secret ?? ''}
            onChange={({ currentTarget }) => change({ client_secret: currentTarget.value })}
            error={wrong('client_secret')}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the secret' }}
          />
        </SimpleGrid>
        <RoleRules rules={values.role_rules ?? []} onChange={(role_rules) => change({ role_rules })} />
        <TextInput
          label="Claim of the groups"
          description="Under which the provider names the groups of a person."
          required
          maxLength={255}
          value={values.groups_claim ?? ''}
          onChange={({ currentTarget }) => change({ groups_claim: currentTarget.value })}
          error={wrong('groups_claim')}
        />
        <TagsInput
          label="Domains without invitations"
          description="Whoever has an e-mail address there may come in; with none, people are invited."
          maxTags={20}
          value={values.domains ?? []}
          onChange={(domains) => change({ domains })}
        />
        <DefaultRole value={values.default_role ?? null} onChange={(default_role) => change({ default_role })} />
        <Switch
          label="Nobody signs in otherwise"
          description="But one owner, by the password. Everybody else is signed out, also whoever has used an API key. Programs go on."
          checked={values.sso_only ?? false}
          onChange={({ currentTarget }) => change({ sso_only: currentTarget.checked })}
        />
        {values.sso_only && (
          <BreakGlass
            value={values.break_glass_id ?? null}
            error={wrong('break_glass_id')}
            onChange={(break_glass_id) => change({ break_glass_id })}
          />
        )}
      </ActionForm>
      {provider && (
        <>
          <Text size="sm">
            Test: open this address in a private window, and sign in. What goes wrong is said there, and stands in the
            audit log. It is also where your people sign in.
          </Text>
          <CopyableCode code={page} label="Sign-in address" />
          <Group justify="flex-end">
            <Button color="red" variant="light" onClick={open}>
              Remove the identity provider
            </Button>
          </Group>
        </>
      )}
      {isRemoving && (
        <Deletion
          kind="identity provider"
          name={values.issuer}
          remove={() => client.deleteIdentityProvider()}
          refresh={async () => {
            onRemoved();
            queryClient.removeQueries({ queryKey: ['getIdentityProvider'] });
          }}
          onClose={close}
        >
          Whoever has signed in by it is signed out. Those who have joined by it have no password: remove and invite
          them.
        </Deletion>
      )}
    </>
  );
}

function inputOf(provider: IdentityProvider | undefined): IdentityProviderInput {
  if (!provider) return { issuer: '', client_id: '', groups_claim: 'groups', role_rules: [], domains: [] };
  const {
    sign_in_url: _page,
    callback_url: _callback,
    created_at: _created,
    updated_at: _updated,
    ...settings
  } = provider;
  return settings as IdentityProviderInput;
}
