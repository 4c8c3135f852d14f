import type { Sql } from '../../../db/sql.ts';
import type { Profile } from '../../profile.ts';
import type { Signer } from '../../secrets/secrets.ts';
import type { Tracking } from '../../senders/message-settings.ts';
import type { RenderedMessage, RenderFailure, TemplateData } from '../../templates/core/compiled.ts';
import { customsOf, messageData } from '../../templates/message-data.ts';
import type { TemplateRenderer } from '../../templates/rendering/template-renderer.ts';
import type { TrackedMessage } from '../../tracking/tracked-links.ts';
import type { SignMail } from '../dkim.ts';
import { type MadeMail, makeMail } from '../mail.ts';
import { makeTextMessage, type TextMessage } from '../text-message.ts';
import { confirmationLink, linksOf, type MessageLinks } from '../tokens.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Outcome } from './outcome.ts';
import type { ReadyTemplates } from './ready-templates.ts';

/** Who it comes from, and what a store says in all its messages. */
export interface MailOrigin {
  storeId: string;
  /** Without an address where it sends no e-mail. */
  from: { name: string | null; email: string | null };
  replyTo: string | null;
  /** Undefined where mails are not signed here. */
  sign: SignMail | undefined;
  store: TemplateData['store'];
  /** Of the links in messages, without a slash at its end. */
  publicUrl: string;
  tracking: Tracking;
}

export interface MakingTools {
  renderer: Pick<TemplateRenderer, 'render'>;
  templates: ReadyTemplates;
  tokens: Signer;
  /** Signs links that are tracked. */
  trackedLinks: Signer;
}

/** A mail or a text message as it is handed over, or why there is none. */
export type Made = { message: ClaimedMessage; mail: MadeMail } | { message: ClaimedMessage; outcome: Outcome };

/** Renders messages, those of a template together, and makes of them what is handed over. */
export async function makeMails(
  db: Sql,
  messages: readonly ClaimedMessage[],
  origin: MailOrigin,
  tools: MakingTools,
): Promise<Made[]> {
  const byVersion = Map.groupBy(messages, ({ templateId, templateVersion }) => `${templateId}/${templateVersion}`);
  const made = await Promise.all([...byVersion.values()].map((some) => makeOfVersion(db, some, origin, tools)));
  return made.flat();
}

async function makeOfVersion(
  db: Sql,
  messages: readonly ClaimedMessage[],
  origin: MailOrigin,
  { renderer, templates, tokens, trackedLinks }: MakingTools,
): Promise<Made[]> {
  const [{ templateId, templateVersion }] = messages as [ClaimedMessage];
  const { storeId } = origin;
  const ready = await templates.read(db, storeId, templateId, templateVersion);
  if (!ready) {
    const outcome = failedRender({ code: 'render_failed', message: 'There is no such version of the template' });
    return messages.map((message) => ({ message, outcome }));
  }
  const items = messages.map((message) => {
    const of = { storeId, profileId: message.profileId, messageId: message.id, channel: message.channel };
    const links = linksOf(tokens, origin.publicUrl, of);
    const { event, isConfirmation } = message.context;
    const confirmUrl = isConfirmation ? confirmationLink(tokens, origin.publicUrl, of) : undefined;
    const data = { ...message.context.data, ...(confirmUrl && { confirm_url: confirmUrl }) };
    const profile = message.profile as Profile;
    return { message, links, confirmUrl, data: messageData({ profile, event, data, store: origin.store, links }) };
  });
  const rendered = await renderer.render(
    storeId,
    ready.compiled,
    items.map(({ message, data }) => ({
      data,
      options: { ...customsOf(data), required: ready.required },
      tracked: trackedOf(message, data.profile, origin, trackedLinks),
    })),
  );
  const making = items.map(async ({ message, links, confirmUrl }, i): Promise<Made> => {
    const result = rendered[i] as RenderedMessage | RenderFailure;
    if ('code' in result) return { message, outcome: failedRender(result) };
    if (confirmUrl && !result.html.includes(confirmUrl)) {
      return { message, outcome: failedRender(WITHOUT_LINK) };
    }
    try {
      const { segments } = result;
      if (segments === null) return { message, mail: await mailOf(message, result, origin, links) };
      return {
        message: { ...message, segments: segments.count },
        mail: textOf(message, { ...result, segments }, origin),
      };
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // As an address that no header can have: the others of the slice are sent.
      return {
        message,
        outcome: { status: 'failed', reason: 'message_refused', response: error.message, dueAt: null },
      };
    }
  });
  return await Promise.all(making);
}

/** Its reader could do nothing. */
const WITHOUT_LINK: RenderFailure = {
  code: 'render_failed',
  message: 'The template does not show {{ data.confirm_url }}, by which the customer is to confirm',
};

/** Undefined where nothing is recorded of what the customer does with the message. */
function trackedOf(
  message: ClaimedMessage,
  { attributes }: TemplateData['profile'],
  { storeId, publicUrl, tracking }: MailOrigin,
  { keys }: Signer,
): TrackedMessage | undefined {
  const { opens, clicks, transactional } = tracking;
  const { do_not_track: refuses } = attributes as { do_not_track?: unknown };
  if (!(opens || clicks) || refuses === true || (message.class === 'transactional' && !transactional)) return undefined;
  return { keys, publicUrl, storeId, messageId: message.id, opens, clicks };
}

function failedRender({ code, message }: RenderFailure): Outcome {
  const status = code === 'missing_value' ? 'skipped' : 'failed';
  return { status, reason: code, response: message.slice(0, 200), dueAt: null };
}

async function mailOf(
  message: ClaimedMessage,
  rendered: RenderedMessage,
  { from: { name, email }, replyTo, sign }: MailOrigin,
  links: MessageLinks,
): Promise<MadeMail> {
  if (email === null) throw new TypeError('The sender has no address');
  // One message keeps its id, so that a second copy of it can be told as one.
  const messageId = `${message.id}@${email.slice(email.lastIndexOf('@') + 1)}`;
  const mail = makeMail({
    from: { name, email },
    to: message.address,
    replyTo,
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    headers: message.class === 'marketing' ? unsubscribing(links) : [],
    messageId,
    date: new Date(),
  });
  return sign ? { ...mail, raw: await sign(mail.raw) } : mail;
}

function textOf(
  { address: to, class: kind, profileId }: ClaimedMessage,
  { text, segments }: RenderedMessage & Pick<TextMessage, 'segments'>,
  { from }: MailOrigin,
): MadeMail {
  return makeTextMessage({ to, from: from.name, text, segments, class: kind, profileId });
}

/** RFC 8058: mail programs unsubscribe by a POST, without showing a page. */
function unsubscribing({ unsubscribe }: MessageLinks): [string, string][] {
  return [
    ['List-Unsubscribe', `<${unsubscribe}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}
