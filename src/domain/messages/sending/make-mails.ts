import type { Profile } from '../../profile.ts';
import type { Signer } from '../../secrets/secrets.ts';
import type { RenderedMessage, RenderFailure, TemplateData } from '../../templates/core/compiled.ts';
import type { TemplateRenderer } from '../../templates/rendering/template-renderer.ts';
import type { CompiledVersion, CompiledVersions } from '../../templates/versions.ts';
import type { Mail } from '../mail.ts';
import { buildMail } from '../mime.ts';
import { linksOf, type MessageLinks } from '../tokens.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Outcome } from './outcome.ts';

/** Who it comes from, and what a store says in all its messages. */
export interface MailOrigin {
  storeId: string;
  from: { name: string | null; email: string };
  replyTo: string | null;
  store: Readonly<Record<string, unknown>>;
  /** Of the links in messages, without a slash at its end. */
  publicUrl: string;
}

export interface MakingTools {
  renderer: Pick<TemplateRenderer, 'render'>;
  versions: Pick<CompiledVersions, 'read'>;
  tokens: Signer;
}

/** A mail as it goes over the wire, or why there is none. */
export type Made = { message: ClaimedMessage; mail: Mail } | { message: ClaimedMessage; outcome: Outcome };

/** Renders messages, those of a template together, and makes mails of them. */
export async function makeMails(
  messages: readonly ClaimedMessage[],
  origin: MailOrigin,
  tools: MakingTools,
): Promise<Made[]> {
  const byVersion = Map.groupBy(messages, ({ templateId, templateVersion }) => `${templateId}/${templateVersion}`);
  const made = await Promise.all([...byVersion.values()].map((some) => makeOfVersion(some, origin, tools)));
  return made.flat();
}

async function makeOfVersion(
  messages: readonly ClaimedMessage[],
  origin: MailOrigin,
  { renderer, versions, tokens }: MakingTools,
): Promise<Made[]> {
  const [{ templateId, templateVersion }] = messages as [ClaimedMessage];
  const { storeId } = origin;
  const version: CompiledVersion = await versions.read(storeId, templateId, templateVersion);
  const items = messages.map((message) => {
    const links = linksOf(tokens, origin.publicUrl, { storeId, profileId: message.profileId, messageId: message.id });
    return { message, links };
  });
  const rendered = await renderer.render(
    { storeId, key: `${templateId}/${templateVersion}`, compiled: version.compiled },
    items.map(({ message, links }) => ({
      data: dataOf(message, origin, links),
      options: optionsOf(message.profile as Profile, version),
    })),
  );
  return items.map(({ message, links }, i) => {
    const result = rendered[i] as RenderedMessage | RenderFailure;
    if ('code' in result) return { message, outcome: failedRender(result) };
    return { message, mail: mailOf(message, result, origin, links) };
  });
}

/** As customers and events are shown by the API. */
export function dataOf(message: ClaimedMessage, { store }: MailOrigin, links: MessageLinks): TemplateData {
  const { id, email, phone, externalId, attributes } = message.profile as Profile;
  return {
    profile: {
      id,
      identifiers: { email, phone, external_id: externalId },
      attributes: 'parse' in attributes ? (attributes as { parse(): object }).parse() : attributes,
    },
    event: message.context.event,
    data: message.context.data,
    store,
    campaign: null,
    unsubscribe_url: links.unsubscribe,
    preferences_url: links.preferences,
    view_url: links.view,
    now: new Date().toISOString(),
  };
}

function failedRender({ code, message }: RenderFailure): Outcome {
  const status = code === 'missing_value' ? 'skipped' : 'failed';
  return { status, reason: code, response: message.slice(0, 200), dueAt: null };
}

function mailOf(message: ClaimedMessage, rendered: RenderedMessage, origin: MailOrigin, links: MessageLinks): Mail {
  const { from, replyTo } = origin;
  // One message keeps its id, so that a second copy of it can be told as one.
  const messageId = `${message.id}@${from.email.slice(from.email.lastIndexOf('@') + 1)}`;
  return buildMail({
    from,
    to: message.address,
    replyTo,
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    headers: message.class === 'marketing' ? unsubscribing(links) : [],
    messageId,
    date: new Date(),
  });
}

/** RFC 8058: mail programs unsubscribe by a POST, without showing a page. */
function unsubscribing({ unsubscribe }: MessageLinks): [string, string][] {
  return [
    ['List-Unsubscribe', `<${unsubscribe}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ];
}
