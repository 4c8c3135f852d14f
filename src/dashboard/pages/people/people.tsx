import { Button } from '@mantine/core';
import { PersonIcon, PlusIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { Person } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Listed } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { useNewDialog } from '../../components/use-new-dialog.ts';
import { useAllows, useCaller } from '../../session/current-caller.tsx';
import { ChangeRole } from './change-role.tsx';
import { HelpPerson } from './help-person.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { Invite } from './invite.tsx';
import { PersonTable } from './person-table.tsx';
import { IdentityProvider } from './provider/identity-provider.tsx';
import { RemovePerson } from './remove-person.tsx';
import { RequireSecondFactor } from './require-second-factor.tsx';

/** Who may sign in, and as what. */
export function People() {
  const people = useRows('listPeople', { limit: 100 }, (page) => page.people);
  const invitations = useRows('listInvitations', { limit: 100 }, (page) => page.invitations);
  const isOwner = useCaller()?.role === 'owner';
  const mayInvite = useAllows('settings:manage');
  const [isInviting, { open, close }] = useNewDialog();
  const [changing, setChanging] = useState<Person>();
  const [helping, setHelping] = useState<Person>();
  const [removing, setRemoving] = useState<Person>();
  return (
    <Page
      title="People"
      description="Who signs in to this store, and what each may do."
      actions={
        mayInvite && (
          <Button leftSection={<PlusIcon />} onClick={open}>
            Invite somebody
          </Button>
        )
      }
    >
      <Section title="People of this store">
        <Listed
          query={people}
          empty={<Empty icon={<PersonIcon size={24} />} title="Nobody yet: you are signed in with a key" />}
        >
          {(rows) => (
            <PersonTable
              people={rows}
              pages={people}
              onChange={setChanging}
              onHelp={setHelping}
              onRemove={setRemoving}
            />
          )}
        </Listed>
      </Section>
      <Section title="Open invitations">
        <Listed query={invitations} empty={<Empty title="No open invitations" />}>
          {(rows) => <InvitationTable invitations={rows} pages={invitations} />}
        </Listed>
      </Section>
      <Section title="Second factor">
        <RequireSecondFactor />
      </Section>
      {isOwner && (
        <Section title="Identity provider">
          <IdentityProvider />
        </Section>
      )}
      {mayInvite && <Invite opened={isInviting} onClose={close} />}
      {changing && <ChangeRole person={changing} onClose={() => setChanging(undefined)} />}
      {helping && <HelpPerson person={helping} onClose={() => setHelping(undefined)} />}
      {removing && <RemovePerson person={removing} onClose={() => setRemoving(undefined)} />}
    </Page>
  );
}
