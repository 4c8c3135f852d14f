import { escapeHtml } from '../domain/templates/core/escaping/escape.ts';

/** A page for the reader of a message. It works without scripts and without signing in, and nobody else is to find it. */
export interface RecipientPage {
  title: string;
  /** HTML, of which nothing comes from elsewhere. */
  content: string;
}

export function renderPage({ title, content }: RecipientPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="stylesheet" href="/m/page.css">
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

const BY = { email: 'by e-mail', sms: 'by text message' } as const;
type Channel = keyof typeof BY;

export function unsubscribePage(channel: Channel): RecipientPage {
  return {
    title: 'Unsubscribe',
    content: `<p>You will get no more news ${BY[channel]} from this shop. What concerns your orders is sent as before.</p>
<form method="post"><button>Unsubscribe</button></form>`,
  };
}

/** Of one channel, or of all. */
export function unsubscribedPage(channel: Channel | 'all', preferences: string): RecipientPage {
  return {
    title: 'You are unsubscribed',
    content: `<p>You get no more news ${channel === 'all' ? '' : `${BY[channel]} `}from this shop.</p>
<p>Was that a mistake? <a href="${preferences}">Choose again what you get.</a></p>`,
  };
}

/** Asks a customer whether they subscribe to a list; the name is that for customers, if it has one. */
export function confirmPage(listName: string | null): RecipientPage {
  const what = listName === null ? '' : `: ${escapeHtml(listName)}`;
  return {
    title: 'Do you want to get news?',
    content: `<p>By the button, you subscribe to news by e-mail from this shop${what}. Without it, you get none.</p>
<form method="post"><button>Subscribe</button></form>`,
  };
}

export const CONFIRMED: RecipientPage = {
  title: 'You are subscribed',
  content: '<p>Thank you. You get news by e-mail from this shop, and each has a link to unsubscribe.</p>',
};

export const CONFIRMATION_EXPIRED: RecipientPage = {
  title: 'This link is too old',
  content: '<p>You were not subscribed. If you want news from this shop, subscribe there once more.</p>',
};

export const HAS_UNSUBSCRIBED: RecipientPage = {
  title: 'You have unsubscribed',
  content:
    '<p>That was later than this link, so it changes nothing. If you want news from this shop, subscribe there once more.</p>',
};

export const FORGOTTEN: RecipientPage = {
  title: 'Nothing is sent to you',
  content: '<p>This shop does not know you any more, and sends you nothing.</p>',
};

export const NOT_THE_FORM: RecipientPage = {
  title: 'Please choose again',
  content:
    '<p>What was sent is not what this page asks for, and nothing was changed. Open it from the message once more.</p>',
};

export const INVALID_LINK: RecipientPage = {
  title: 'This link does not work',
  content: '<p>It may have been cut off. Open it from the message once more, as a whole.</p>',
};

export const HIDDEN_LINK: RecipientPage = {
  title: 'Nothing to see here',
  content: '<p>This link is for programs that open all links of a message.</p>',
};

export const NOT_KEPT: RecipientPage = {
  title: 'This message is not here',
  content: '<p>Only the one in your mailbox is left of it.</p>',
};

export const TRY_AGAIN: RecipientPage = {
  title: 'Please try again',
  content: '<p>Something went wrong on our side, and nothing was changed. Please try again in a minute.</p>',
};
