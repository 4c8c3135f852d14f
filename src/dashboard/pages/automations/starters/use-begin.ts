import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useClient } from '../../../api/client.tsx';
import { useAllows } from '../../../session/current-caller.tsx';
import { useRefreshTemplates } from '../../templates/use-templates.ts';
import { prepareStarter } from './prepare.ts';
import type { Starter } from './starter.ts';

/** Begins an automation with a starter, and goes on to the editor, where the automation is kept once somebody saves it. */
export function useBegin() {
  const client = useClient();
  const navigate = useNavigate();
  const refresh = useRefreshTemplates();
  const messages = useAllows('messages:write');
  const segments = useAllows('audiences:write');
  return useMutation({
    mutationFn: (starter: Starter) => prepareStarter(client, starter, { messages, segments }),
    onSuccess: async (definition, { title, emails }) => {
      if (Object.keys(emails).length > 0) await refresh();
      navigate(`/automations/new?${new URLSearchParams({ from: title })}`, { state: { definition } });
    },
    onError: (error, { title }) =>
      notifications.show({ color: 'red', title: `“${title}” was not begun`, message: error.message }),
  });
}
