import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { Sender } from '../domain/senders/sender.ts';
import { createSender as create } from '../domain/senders/senders.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { renderSender, toSenderInput } from './representations/sender.ts';

export function createSender(writing: WithConnection, tools: SenderTools): Handler<Operations, 'createSender'> {
  return async ({ request, caller }) => {
    const { storeId } = caller;
    const { idempotency_key: key, kind, ...body } = request.body;
    const input = toSenderInput(body, caller);
    // What is kept of a request to tell repetitions must not let anybody try passwords on it.
    const signer = tools.secrets.derive('passwords');
    const digestOf = (text: string | null | undefined) => text && signer.sign(text).toString('hex');
    const { password, auth_token, api_key_secret, ...settings } = body.settings;
    const digests = {
      password: digestOf(password),
      auth_token: digestOf(auth_token),
      api_key_secret: digestOf(api_key_secret),
    };
    const asked = { body: { ...request.body, settings: { ...settings, ...digests } } };
    return await performOnce(
      caller,
      { operation: 'createSender', key, request: asked },
      {
        perform: (once: Once<Sender>) => create(writing, storeId, kind, input, tools, once),
        answer: (sender) => ({ status: 201 as const, body: renderSender(sender) }),
      },
    );
  };
}
