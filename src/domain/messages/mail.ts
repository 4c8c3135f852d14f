import type { Mail, Mailbox } from './mime.ts';
import { buildMail } from './mime.ts';

/** What a mail says, as it is shown. */
export interface MailContent {
  subject: string;
  html: string;
  text: string;
  /** In their order, decoded. */
  headers: readonly { name: string; value: string }[];
}

/** A mail or a text message as it goes over the wire, and what it says. */
export interface MadeMail {
  raw: Buffer;
  content: MailContent;
}

export function makeMail(mail: Mail): MadeMail {
  const { from, to, replyTo, subject, html, text, headers, messageId, date } = mail;
  const shown: [string, string][] = [
    ['From', shownMailbox(from)],
    ['To', to],
    ...(replyTo ? [['Reply-To', replyTo] as [string, string]] : []),
    ['Subject', subject],
    ['Date', date.toUTCString().replace('GMT', '+0000')],
    ['Message-ID', `<${messageId}>`],
    ...headers.map(([name, value]): [string, string] => [name, value]),
  ];
  return {
    raw: buildMail(mail),
    content: { subject, html, text, headers: shown.map(([name, value]) => ({ name, value })) },
  };
}

function shownMailbox({ name, email }: Mailbox): string {
  return name === null ? email : `${name} <${email}>`;
}
