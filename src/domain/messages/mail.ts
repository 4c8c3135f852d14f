/** What a mail says, as it is shown. */
export interface MailContent {
  subject: string;
  html: string;
  text: string;
  /** In their order, decoded. */
  headers: readonly { name: string; value: string }[];
}

/** A mail as it goes over the wire, and what it says. */
export interface Mail {
  raw: Buffer;
  content: MailContent;
}
