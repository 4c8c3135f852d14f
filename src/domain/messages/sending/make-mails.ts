import { extname } from 'node:path';
import type { Log } from '../../../process/log.ts';
import type { Profile } from '../../profile.ts';
import type { Signer } from '../../secrets/secrets.ts';
import { domainOf } from '../../senders/address.ts';
import type { Tracking } from '../../senders/message-settings.ts';
import type { FeedbackProvider } from '../../senders/sender.ts';
import type { RenderFailure, TemplateData } from '../../templates/core/compiled.ts';
import { customsOf, messageData } from '../../templates/message-data.ts';
import { withSubject } from '../../templates/other-subject.ts';
import { TemplateRenderer } from '../../templates/rendering/template-renderer.ts';
import type { TrackedMessage } from '../../tracking/tracked-links.ts';
import type { SignMail } from '../dkim.ts';
import type { MadeMail } from '../mail.ts';
import { headersFor } from '../provider-headers.ts';
import type { TextForm } from '../text-message.ts';
import { confirmationLink, linksOf, type MessageLinks } from '../tokens.ts';
import type { ClaimedMessage } from './claim.ts';
import type { MailItem, Malformed, TaskMail } from './mail-task.ts';
import type { Outcome } from './outcome.ts';
import type { Ready } from './ready-templates.ts';

/** Who it comes from, and what a store says in all its messages. */
export interface MailOrigin {
  storeId: string;
  /** Without an address where it sends no e-mail. */
  from: { name: string | null; email: string | null };
  replyTo: string | null;
  /** Who tells what comes back. */
  feedbackProvider: FeedbackProvider | null;
  /** Undefined where mails are not signed here. */
  sign: SignMail | undefined;
  /** Whether mails are kept in place of being sent. */
  keeps: boolean;
  /** How text messages go over the wire. */
  textForm: TextForm;
  store: TemplateData['store'];
  /** Of the links in messages, without a slash at its end. */
  publicUrl: string;
  tracking: Tracking;
}

export interface MakingTools {
  maker: Pick<MailMaker, 'render'>;
  tokens: Signer;
  /** Signs links that are tracked. */
  trackedLinks: Signer;
}

/** What messages of a version are made from; undefined if there is no such version, or nothing can be made of it. */
export type ReadReady = (templateId: string | null, version: number | null) => Promise<Ready | undefined>;

/** A mail or a text message as it is handed over, or why there is none. */
export type Made = MadeOfMessage | { message: ClaimedMessage; outcome: Outcome };

export interface MadeOfMessage {
  message: ClaimedMessage;
  mail: Buffer;
  /** The same with what it says, where it is kept. */
  kept: MadeMail | undefined;
}

export type MailMaker = TemplateRenderer<MailItem, TaskMail | RenderFailure | Malformed>;

const MODULE = new URL(`./mail-thread${extname(import.meta.url)}`, import.meta.url);

/** Renders messages and makes mails of them in one thread: little has to pass from one thread to another. */
export function openMailMaker(log: Log, idleMs: number): MailMaker {
  return new TemplateRenderer(log, { module: MODULE, idleMs });
}

/** Renders messages, those of a template together, and makes of them what is handed over. */
export async function makeMails(
  readReady: ReadReady,
  messages: readonly ClaimedMessage[],
  origin: MailOrigin,
  tools: MakingTools,
): Promise<Made[]> {
  const byVersion = Map.groupBy(
    messages,
    ({ templateId, templateVersion, subject }) => `${templateId}/${templateVersion}/${subject ?? ''}`,
  );
  const made = await Promise.all([...byVersion.values()].map((some) => makeOfVersion(readReady, some, origin, tools)));
  return made.flat();
}

async function makeOfVersion(
  readReady: ReadReady,
  messages: readonly ClaimedMessage[],
  origin: MailOrigin,
  { maker, tokens, trackedLinks }: MakingTools,
): Promise<Made[]> {
  const [{ templateId, templateVersion, subject }] = messages as [ClaimedMessage];
  const { storeId } = origin;
  const ready = await readReady(templateId, templateVersion);
  if (!ready) {
    const outcome = failedRender({ code: 'render_failed', message: 'There is no such version of the template' });
    return messages.map((message) => ({ message, outcome }));
  }
  const items = messages.map((message) => {
    const of = { storeId, profileId: message.profileId, messageId: message.id, channel: message.channel };
    const links = linksOf(tokens, origin.publicUrl, of);
    const { campaign, context } = message;
    const { event, coupon, recommended, isConfirmation } = context;
    const confirmUrl = isConfirmation ? confirmationLink(tokens, origin.publicUrl, of) : undefined;
    const data = { ...context.data, ...(confirmUrl && { confirm_url: confirmUrl }) };
    const profile = message.profile as Profile;
    const parts = { profile, event, coupon, recommended, data, campaign, store: origin.store, links };
    return { message, links, confirmUrl, data: messageData(parts) };
  });
  const made = await maker.render(
    storeId,
    subject === null ? ready.compiled : withSubject(ready.compiled, subject),
    items.map(({ message, links, confirmUrl, data }) => ({
      data,
      options: { ...customsOf(data), required: ready.required },
      tracked: trackedOf(message, data.profile, origin, trackedLinks),
      head: headOf(message, origin, links),
      ofText: { class: message.class, profileId: message.profileId, form: origin.textForm },
      confirmUrl,
      isShown: origin.keeps,
    })),
  );
  const finishing = messages.map(async (message, i): Promise<Made> => {
    const result = made[i] as TaskMail | RenderFailure | Malformed;
    if ('code' in result) return { message, outcome: failedMake(result) };
    const { buffer, byteOffset, byteLength } = result.raw;
    const raw = Buffer.from(buffer, byteOffset, byteLength);
    const mail = origin.sign && result.segments === null ? await origin.sign(raw) : raw;
    const kept = result.content && { raw: mail, content: result.content };
    return { message: { ...message, segments: result.segments }, mail, kept };
  });
  return await Promise.all(finishing);
}

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

/** The others of a slice are made and sent. */
function failedMake(failure: RenderFailure | Malformed): Outcome {
  if (failure.code !== 'malformed') return failedRender(failure);
  return { status: 'failed', reason: 'message_refused', response: failure.message, dueAt: null };
}

function failedRender({ code, message }: RenderFailure): Outcome {
  const status = code === 'missing_value' ? 'skipped' : 'failed';
  return { status, reason: code, response: message.slice(0, 200), dueAt: null };
}

function headOf(
  message: ClaimedMessage,
  { from, replyTo, feedbackProvider }: MailOrigin,
  links: MessageLinks,
): MailItem['head'] {
  return {
    from,
    to: message.address,
    replyTo,
    headers: [
      ...(message.class === 'marketing' ? unsubscribing(links) : []),
      ...headersFor(feedbackProvider, message.id),
    ],
    // One message keeps its id, so that a second copy of it can be told as one.
    messageId: from.email === null ? message.id : `${message.id}@${domainOf(from.email)}`,
    date: new Date(),
  };
}

/** RFC 8058: mail programs unsubscribe by a POST, without showing a page. */
function unsubscribing({ unsubscribe }: MessageLinks): [string, string][] {
  return [
    ['List-Unsubscribe', `<${unsubscribe}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}
