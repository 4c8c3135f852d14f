/** What `smtps://user:password@host:465` says. */
export interface SmtpUrl {
  host: string;
  port: number;
  isSecure: boolean;
  user: string;
  password: string;
}

/** Throws for what is not such a URL. */
export function readSmtpUrl(text: string): SmtpUrl {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isSecure = protocol === 'smtps:';
  const hasMore = (pathname !== '' && pathname !== '/') || search !== '' || hash !== '';
  if (hostname === '' || hasMore || (username === '') !== (password === '')) throw new TypeError('Not a URL of SMTP');
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    isSecure,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

export function isSmtpUrl(text: string): boolean {
  try {
    readSmtpUrl(text);
    return true;
  } catch {
    return false;
  }
}
