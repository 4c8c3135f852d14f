import type { Sql } from '../../../db/sql.ts';
import { type Secrets, type Signer, Unopenable } from '../../secrets/secrets.ts';
import { findSealed, type SenderWithSealed } from '../../senders/find-senders.ts';
import type { Relay, RelayUser } from '../../senders/hand-over.ts';
import { readMessageSettings } from '../../senders/message-settings.ts';
import { type Receiver, readReceiver } from '../../senders/receiver.ts';
import { relayUserOf } from '../../senders/relay.ts';
import type { SenderKind } from '../../senders/sender.ts';
import { type TwilioUser, twilioUserOf } from '../../senders/twilio/account.ts';
import { readStoreSettings } from '../../store-settings.ts';
import { storeData } from '../../templates/message-data.ts';
import { capsOf } from '../core/caps.ts';
import type { Caps } from '../core/decide.ts';
import { mailSigner, type SignMail } from '../dkim.ts';
import { eventsUrl } from '../hook-token.ts';
import type { MailOrigin } from './make-mails.ts';

/** What a store and a sender say of how messages are sent. */
export interface SenderSettings {
  kind: SenderKind;
  /** Whose connections messages leave by; undefined for an outbox, and where there is no server to hand them over to. */
  relayUser: RelayUser | undefined;
  /** What takes text messages; undefined for any other kind than `webhook`, and where the endpoint is disabled. */
  receiver: Receiver | undefined;
  /** Undefined for any other kind than `twilio`. */
  twilio: TwilioUser | undefined;
  /** Where Twilio tells what becomes of messages; undefined where nobody listens. */
  callbackUrl: string | undefined;
  origin: MailOrigin;
  caps: Caps;
}

export interface SettingsTools {
  secrets: Secrets;
  shared: { relay: Relay } | undefined;
  publicUrl: string;
  twilioUrl: string;
  /** Signs where providers tell what comes back. */
  hookTokens: Signer;
}

/** Undefined if the store has no such sender. `shared` has the names of stores. */
export async function readSenderSettings(
  db: Sql,
  shared: Sql,
  storeId: string,
  senderId: string,
  tools: SettingsTools,
): Promise<SenderSettings | undefined> {
  const found = await findSealed(db, storeId, senderId);
  if (!found) return undefined;
  const { sender } = found;
  const settings = await readMessageSettings(db, storeId);
  const opened = openSecretsOf(storeId, found, tools);
  return {
    kind: sender.kind,
    relayUser: opened?.relayUser,
    receiver:
      sender.endpointId === null ? undefined : await readReceiver(db, storeId, sender.endpointId, tools.secrets),
    twilio: opened?.twilio,
    callbackUrl:
      sender.feedbackProvider === 'twilio'
        ? eventsUrl(tools.hookTokens, tools.publicUrl, { storeId, senderId })
        : undefined,
    origin: {
      storeId,
      from: { name: sender.fromName, email: sender.fromEmail },
      replyTo: sender.replyTo,
      feedbackProvider: sender.feedbackProvider,
      sign: opened?.sign,
      keeps: sender.kind === 'outbox',
      textForm: sender.kind === 'twilio' ? 'twilio' : 'webhook',
      store: storeData(await readStoreSettings(shared, storeId), settings),
      publicUrl: tools.publicUrl,
      tracking: settings.tracking,
    },
    caps: capsOf(settings),
  };
}

/** Undefined where they can't be opened any more: messages are then tried again, as if the relay was away. */
function openSecretsOf(
  storeId: string,
  found: SenderWithSealed,
  tools: SettingsTools,
): { relayUser: RelayUser | undefined; twilio: TwilioUser | undefined; sign: SignMail | undefined } | undefined {
  try {
    return {
      relayUser: relayUserOf(storeId, found, tools),
      twilio: twilioUserOf(storeId, found, tools),
      sign: mailSigner(storeId, found, tools.secrets),
    };
  } catch (error) {
    if (error instanceof Unopenable) return undefined;
    throw error;
  }
}
