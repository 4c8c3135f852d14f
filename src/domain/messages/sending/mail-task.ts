import type { RenderedMessage, RenderFailure } from '../../templates/core/compiled.ts';
import { type RenderItem, type RenderTask, renderTask } from '../../templates/rendering/render-task.ts';
import { type MadeMail, type MailContent, makeMail } from '../mail.ts';
import type { Mail } from '../mime.ts';
import { makeTextMessage, type TextMessage } from '../text-message.ts';

/** A mail or a text message that is made of one customer's message. */
export interface MailItem extends RenderItem {
  /** Of a mail; its sender may have no address. */
  head: Omit<Mail, 'from' | 'subject' | 'html' | 'text'> & { from: { name: string | null; email: string | null } };
  ofText: Pick<TextMessage, 'class' | 'profileId' | 'form'>;
  /** A link that it has to have. */
  confirmUrl: string | undefined;
  /** Whether what it says is returned besides. */
  isShown: boolean;
}

/** What goes over the wire, and perhaps what it says. */
export interface TaskMail {
  raw: Uint8Array;
  content: MailContent | undefined;
  /** Of a text message; null for a mail. */
  segments: number | null;
}

/** An address, for example, that no header can have. */
export interface Malformed {
  code: 'malformed';
  message: string;
}

/** Its reader could do nothing. */
const WITHOUT_LINK: RenderFailure = {
  code: 'render_failed',
  message: 'The template does not show {{ data.confirm_url }}, by which the customer is to confirm',
};

export function makeTaskMail(task: RenderTask & MailItem): TaskMail | RenderFailure | Malformed {
  const rendered = renderTask(task);
  if ('code' in rendered) return rendered;
  if (task.confirmUrl && !rendered.html.includes(task.confirmUrl)) return WITHOUT_LINK;
  try {
    const { raw, content } = makeOf(rendered, task);
    return { raw, content: task.isShown ? content : undefined, segments: rendered.segments?.count ?? null };
  } catch (error) {
    if (error instanceof TypeError) return { code: 'malformed', message: error.message };
    throw error;
  }
}

function makeOf({ subject, html, text, segments }: RenderedMessage, { head, ofText }: MailItem): MadeMail {
  const { name, email } = head.from;
  if (segments !== null) return makeTextMessage({ ...ofText, to: head.to, from: name, text, segments });
  if (email === null) throw new TypeError('The sender has no address');
  return makeMail({ ...head, from: { name, email }, subject, html, text });
}
