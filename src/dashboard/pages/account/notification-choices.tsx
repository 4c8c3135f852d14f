import { Alert, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ActionForm } from '../../components/action-form.tsx';
import { Loaded } from '../../components/states.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useCaller } from '../../session/current-caller.tsx';
import { MAIL_PROBLEMS } from '../notifications/words.ts';
import { type OwnNotifications, useAsk, useOwnNotifications } from './requests.ts';

/** What somebody is told by mail of the store that they look at. */
export function NotificationChoices() {
  const query = useOwnNotifications();
  return <Loaded query={query}>{(choices) => <Form choices={choices} />}</Loaded>;
}

function Form({ choices }: { choices: OwnNotifications }) {
  const { may_have_report: mayHaveReport, problem, ...read } = choices;
  const [values, setValues] = useState(read);
  const store = useCaller()?.store;
  const saving = useAsk('PUT', 'account/notifications', () => {
    notifications.show({ title: 'Notifications', message: 'Your choice is saved.' });
  });
  const isSame = values.attention === read.attention && values.weekly_report === read.weekly_report;
  return (
    <ActionForm
      verb="Save your choice"
      failure="Your choice was not saved"
      error={saving.error}
      isPending={saving.isPending}
      isDisabled={isSame}
      onSubmit={() => saving.mutate(values)}
    >
      {problem !== null && (values.attention || values.weekly_report) && (
        <Alert color="yellow" role="status" title="No mails are sent yet">
          {wordsOf(MAIL_PROBLEMS, problem)}
        </Alert>
      )}
      <Checkbox
        label="When something needs attention"
        description={`One mail when it begins and one when it is over, of what your role may read${store ? ` in ${store.display_name ?? store.name}` : ''}.`}
        checked={values.attention}
        onChange={({ currentTarget }) => setValues({ ...values, attention: currentTarget.checked })}
      />
      <Checkbox
        label="The report of the week"
        description={
          mayHaveReport
            ? 'On Monday mornings: revenue, orders and customers against the week before.'
            : 'Your role may not read reports.'
        }
        disabled={!mayHaveReport}
        checked={values.weekly_report}
        onChange={({ currentTarget }) => setValues({ ...values, weekly_report: currentTarget.checked })}
      />
    </ActionForm>
  );
}
