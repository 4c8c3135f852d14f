import { ScriptedServer } from '../../senders/support/scripted-server.ts';
import { Receiver } from '../../webhooks/support/receiver.ts';
import type { Shop } from './shop.ts';

/** Where the messages of a test arrive. */
export interface Sink extends AsyncDisposable {
  /** The addresses of what has arrived, in its order. */
  readonly taken: string[];
  /** From which message on it does not say that it has it. */
  silentFrom: number;
  readonly template: object;
  /** A sender of a store by which messages go there. Returns its id. */
  sender(shop: Shop, limits: object): Promise<string>;
  addressOf(i: number): string;
}

/** A server of mail. */
export async function openMailbox(): Promise<Sink> {
  const relay = await ScriptedServer.start((verb) => {
    return verb === '.' && relay.messages.length >= sink.silentFrom ? null : undefined;
  });
  const sink: Sink = {
    get taken() {
      return relay.messages.map((message) => /^To: (\S+)/m.exec(message)?.[1] ?? '');
    },
    silentFrom: Number.POSITIVE_INFINITY,
    template: {},
    sender: (shop, limits) => shop.relay(relay.port, limits),
    addressOf: (i) => `customer-${i}@shop.example`,
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
  return sink;
}

/** What takes text messages. */
export async function openPhones(): Promise<Sink> {
  const receiver = await Receiver.start((response) => {
    if (receiver.received.length < sink.silentFrom) response.writeHead(204).end();
  });
  const sink: Sink = {
    get taken() {
      return receiver.received.map(({ body }) => JSON.parse(body).data.to);
    },
    silentFrom: Number.POSITIVE_INFINITY,
    template: { kind: 'sms', subject: '', body: 'Hello. {{ unsubscribe_url }}' },
    sender: async (shop, limits) => (await shop.texter(receiver.url, limits)).id,
    addressOf: (i) => `+4930901820${String(i).padStart(2, '0')}`,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  return sink;
}
