import { Unopenable } from '../secrets/secrets.ts';
import { domainOf } from '../senders/address.ts';
import { domainCheck } from '../senders/domain-checks.ts';
import type { SenderWithSealed } from '../senders/find-senders.ts';
import type { HandOverResult } from '../senders/hand-over.ts';
import { relayUserOf } from '../senders/relay.ts';
import type { Sender } from '../senders/sender.ts';
import type { SenderTools } from '../senders/tools.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { mailSigner } from './dkim.ts';
import { type MadeMail, makeMail } from './mail.ts';

/** What a mail says that is about no customer. */
export interface DirectContent {
  subject: string;
  html: string;
  text: string;
}

export type DirectTools = Pick<SenderTools, 'secrets' | 'handOver' | 'dns' | 'shared'>;

/** Makes a mail by a sender that is about no customer, and so has no links by which one opts out. */
export function directMail(
  { fromName, replyTo, ...sender }: Sender,
  to: string,
  id: string,
  content: DirectContent,
): MadeMail {
  const fromEmail = sender.fromEmail as string;
  return makeMail({
    from: { name: fromName, email: fromEmail },
    ...{ to, replyTo, ...content },
    headers: [['Auto-Submitted', 'auto-generated']],
    messageId: `${id}@${domainOf(fromEmail)}`,
    date: new Date(),
  });
}

/**
 * Hands such a mail over, which takes no connection to the database. Throws `validation_error` where a secret of the sender
 * can't be read, and where its domain is not the store's to send from.
 */
export async function sendDirectly(
  storeId: string,
  found: SenderWithSealed,
  { to, id, content }: { to: string; id: string; content: DirectContent },
  tools: DirectTools,
  signal: AbortSignal,
): Promise<HandOverResult> {
  const { sender } = found;
  if (sender.settings?.isShared) {
    const { ok, detail } = await domainCheck(tools.dns, domainOf(sender.fromEmail as string), storeId);
    if (!ok) throw invalid({ path: ['from_email'], problem: `is not of a domain of the store. ${detail}` });
  }
  const { user, sign } = openedOf(storeId, found, tools);
  const envelope = { from: sender.fromEmail as string, to };
  const { raw: mail } = directMail(sender, to, id, content);
  return await tools.handOver.send(user, envelope, sign ? await sign(mail) : mail, signal);
}

function openedOf(storeId: string, found: SenderWithSealed, tools: DirectTools) {
  const user = opened(() => relayUserOf(storeId, found, tools));
  if (user) return { user, sign: opened(() => mailSigner(storeId, found, tools.secrets)) };
  throw new ServiceError('validation_error', 'The operator offers no shared server any more (SMTP_URL)');
}

/** Throws `validation_error` where a secret can't be opened. */
export function opened<Found>(open: () => Found): Found {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    throw new ServiceError(
      'validation_error',
      'The password or the DKIM key can not be read any more, as SECRET_KEY was changed',
    );
  }
}
