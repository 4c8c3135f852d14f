import type { RenderFailure } from '../../templates/core/compiled.ts';
import { type RenderItem, type RenderTask, renderTask } from '../../templates/rendering/render-task.ts';
import { type MailContent, makeMail } from '../mail.ts';
import type { Mail } from '../mime.ts';

/** A mail that is made of one customer's message. */
export interface MailItem extends RenderItem {
  head: Omit<Mail, 'subject' | 'html' | 'text'>;
  /** Whether what it says is returned besides. */
  isShown: boolean;
}

/** A mail as it goes over the wire, and perhaps what it says. */
export interface TaskMail {
  raw: Uint8Array;
  content: MailContent | undefined;
}

/** An address, for example, that no header can have. */
export interface Malformed {
  code: 'malformed';
  message: string;
}

export function makeTaskMail(task: RenderTask & MailItem): TaskMail | RenderFailure | Malformed {
  const rendered = renderTask(task);
  if ('code' in rendered) return rendered;
  const { subject, html, text } = rendered;
  try {
    const { raw, content } = makeMail({ ...task.head, subject, html, text });
    return { raw, content: task.isShown ? content : undefined };
  } catch (error) {
    if (error instanceof TypeError) return { code: 'malformed', message: error.message };
    throw error;
  }
}
