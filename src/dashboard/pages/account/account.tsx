import { Alert } from '@mantine/core';
import { useOperation } from '../../api/operations.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { useCaller } from '../../session/current-caller.tsx';
import { ChangePassword } from './change-password.tsx';
import { NameForm } from './name-form.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import { useAccount } from './requests.ts';
import { SecondFactor } from './second-factor.tsx';
import { SessionTable } from './session-table.tsx';

/** What people look after themselves: who they are, how they sign in, and where they are signed in. */
export function Account() {
  const caller = useCaller();
  return (
    <Page title="Your account" description="Who you are, how you sign in, and where you are signed in.">
      {caller?.lacks_second_factor && <Lacking store={caller.store.display_name ?? caller.store.name} />}
      {caller?.kind === 'key' ? <Empty title="You are signed in with a key, and not as a person" /> : <Parts />}
    </Page>
  );
}

function Parts() {
  const account = useAccount();
  return (
    <Loaded query={account}>
      {({ name, email, by_provider, second_factor, sessions }) => (
        <>
          {by_provider ? (
            <Alert color="blue" title={`${name}, ${email}`} mb="md">
              You are signed in with the account of your company, which looks after your name, your password and a
              second factor.
            </Alert>
          ) : (
            <>
              <Section title="Second factor">
                <SecondFactor {...second_factor} />
              </Section>
              <Section title="Name">
                <NameForm name={name} email={email} />
              </Section>
              <Section title="Password">
                <ChangePassword />
              </Section>
            </>
          )}
          <Section title="Notifications">
            <NotificationChoices />
          </Section>
          <Section title="Where you are signed in">
            <SessionTable sessions={sessions} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

/** Asks again until the service has seen that it is there. */
function Lacking({ store }: { store: string }) {
  useOperation('getSession', {}, { refetchInterval: 2_000 });
  return (
    <Alert color="yellow" role="status" title="Set up a second factor first">
      {store} asks for one of everybody. Until you have it, you see nothing else here.
    </Alert>
  );
}
