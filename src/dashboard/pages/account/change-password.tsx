import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ActionForm } from '../../components/action-form.tsx';
import { refusalOf } from '../../components/refusal.ts';
import { PasswordField } from '../../session/attempt-form.tsx';
import { useAsk } from './requests.ts';

const NONE = { current_password: '', password: '' };

/** Ends the other sessions. */
export function ChangePassword() {
  const [values, setValues] = useState(NONE);
  const saving = useAsk('PUT', 'session/password', () => {
    setValues(NONE);
    notifications.show({ title: 'Password', message: 'It is changed. You are signed out everywhere else.' });
  });
  const { wrong, rest } = refusalOf(saving.error, ['current_password', 'password']);
  return (
    <ActionForm
      verb="Change the password"
      failure="The password was not changed"
      error={rest}
      isPending={saving.isPending}
      isDisabled={values.current_password === '' || values.password === ''}
      onSubmit={() => saving.mutate(values)}
    >
      <PasswordField
        label="Present password"
        value={values.current_password}
        onChange={(current_password) => setValues({ ...values, current_password })}
        error={wrong('current_password')}
      />
      <PasswordField
        label="New password"
        isNew
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
        error={wrong('password')}
      />
    </ActionForm>
  );
}
