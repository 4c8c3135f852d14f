import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorOf } from '../../../client/error.ts';
import { send } from '../../session/session.ts';

/** A session of the person who is signed in. */
export interface OwnSession {
  id: string;
  address: string;
  user_agent: string;
  store: string;
  created_at: string;
  seen_at: string;
  /** Whether it is that of this page. */
  is_this: boolean;
}

/** The person who is signed in. */
export interface OwnAccount {
  name: string;
  email: string;
  /** Whether the store's identity provider has signed the person in, which then looks after all but the sessions by it. */
  by_provider: boolean;
  second_factor: { enabled: boolean; recovery_codes: number };
  sessions: OwnSession[];
}

/** What the person is told by mail of the store that they look at. */
export interface OwnNotifications {
  attention: boolean;
  weekly_report: boolean;
  may_have_report: boolean;
  /** Why no mail is sent; null if it is. */
  problem: string | null;
}

const KEY = ['account'];

/** Asks what is not part of the contract. Throws a `FootfallError`. */
async function ask<Answer>(...[method, path, body]: Parameters<typeof send>): Promise<Answer> {
  const response = await send(method, `/dashboard/${path}`, body);
  if (!response.ok) throw errorOf(response, await response.text());
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

export function useAccount() {
  return useQuery({ queryKey: KEY, queryFn: () => ask<OwnAccount>('GET', 'account') });
}

export function useOwnNotifications() {
  return useQuery({
    queryKey: [...KEY, 'notifications'],
    queryFn: () => ask<OwnNotifications>('GET', 'account/notifications'),
  });
}

/** One request about oneself; then the page is read again. */
export function useAsk<Body extends object | undefined = object, Answer = void>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  onSuccess: (answer: Answer) => void = () => {},
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => ask<Answer>(method, path, body),
    onSuccess: async (answer) => {
      onSuccess(answer);
      await queryClient.invalidateQueries({ queryKey: KEY });
    },
  });
}
