import { VersionCache } from '../domain/automations/stored/version-cache.ts';
import { type AddressDigest, openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { HOOKS } from '../domain/messages/hook-token.ts';
import { openMailMaker } from '../domain/messages/sending/make-mails.ts';
import type { Outcomes } from '../domain/messages/sending/observed.ts';
import { ReadyTemplates } from '../domain/messages/sending/ready-templates.ts';
import { readSenderSettings } from '../domain/messages/sending/sender-settings.ts';
import { type MessageTools, SenderTurn } from '../domain/messages/sending/sender-turn.ts';
import { Secrets } from '../domain/secrets/secrets.ts';
import { relayOfUrl } from '../domain/senders/relay.ts';
import { handOverByTwilio } from '../domain/senders/twilio/hand-over.ts';
import { handOverByWebhook } from '../domain/senders/webhook-hand-over.ts';
import { TRACKED_LINKS } from '../domain/tracking/tracked-links.ts';
import type { Send } from '../domain/webhooks/deliveries/attempt.ts';
import { Networks } from '../domain/webhooks/endpoints/networks.ts';
import { RightOfWay } from '../engine/right-of-way.ts';
import { serveEngine } from '../engine/serve-engine.ts';
import { claimTurns, Slots } from '../engine/slots.ts';
import { SmtpHandOver } from '../outbound/smtp/hand-over.ts';
import { Transport } from '../outbound/transport.ts';
import { CONNECTIONS, type MessagesSetup } from './messages.ts';

/** Milliseconds after which the thread that renders ends, if there is nothing to render. */
const RENDERER_IDLE_MS = 60_000;

serveEngine<MessagesSetup, Outcomes>({
  connections: () => CONNECTIONS,
  part: 'sender_id',
  open({ data, stores, log, notify, stopping }) {
    const { requestLoad, underWay, keys, publicUrl, smtpUrl, twilioUrl, allowedNetworks, allowHttp } = data;
    const secrets = new Secrets(keys);
    const networks = new Networks(allowedNetworks);
    const smtp = new SmtpHandOver({ networks });
    const transport = new Transport({ networks, allowHttp });
    const send: Send = (...request) => transport.send(...request);
    const shared = smtpUrl === undefined ? undefined : { relay: relayOfUrl(smtpUrl) };
    let digest: Promise<AddressDigest> | undefined;
    /** Tried again where the database was away. */
    const openDigest = () => {
      digest ??= openAddressDigest(stores.shared).catch((error) => {
        digest = undefined;
        throw error;
      });
      return digest;
    };
    const ofSettings = { secrets, shared, publicUrl, twilioUrl, hookTokens: secrets.derive(HOOKS) };
    const tools: Omit<MessageTools, 'digestOf'> = {
      maker: openMailMaker(log, RENDERER_IDLE_MS),
      templates: new ReadyTemplates(),
      tokens: secrets.derive('message-tokens'),
      trackedLinks: secrets.derive(TRACKED_LINKS),
      settingsOf: (db, storeId, senderId) => readSenderSettings(db, stores.shared, storeId, senderId, ofSettings),
      handOver: (user, envelope, mail) => smtp.send(user, envelope, mail),
      handOverText: (receiver, text) => handOverByWebhook(send, receiver, text),
      handOverByTwilio: (user, message) => handOverByTwilio(send, user, message),
      versions: new VersionCache(),
      slots: new Slots(underWay),
      claimTurns: claimTurns(CONNECTIONS, stores.nodeOf),
      rightOfWay: new RightOfWay(requestLoad),
      observe: (outcomes) => notify(outcomes.map(({ status }) => ({ status }))),
      log,
      isStopping: () => stopping.aborted,
    };
    return {
      async 'sending of messages'(db, storeId, senderId) {
        await stores.findNode(storeId);
        await new SenderTurn(db, storeId, senderId, { ...tools, digestOf: await openDigest() }).take();
        return false;
      },
    };
  },
});
