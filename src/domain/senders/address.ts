import { domainToASCII } from 'node:url';
import { readEmail } from '../canonical/email.ts';
import { invalid } from '../service-error.ts';

/** Domains at which everybody may have an address: their owners let nobody else send for them. */
const FREE_MAIL = new Set(
  `gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.fr yahoo.de ymail.com hotmail.com hotmail.co.uk hotmail.fr outlook.com
   live.com msn.com icloud.com me.com mac.com aol.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de mail.ru
   yandex.ru proton.me protonmail.com zoho.com orange.fr wanadoo.fr free.fr laposte.net libero.it qq.com 163.com naver.com`
    .split(/\s+/)
    .filter(Boolean),
);

/** Characters of an address and of its first part on the wire (RFC 5321). */
const [MAX_ADDRESS, MAX_LOCAL] = [254, 64];

/**
 * Returns an address as it is on the wire: its domain in ASCII, with upper case in its first part as given. Throws
 * `validation_error` for anything but one plain address: a name, a comment, quotes, or a part that is not ASCII.
 */
export function readAddress(text: string, field: string): string {
  const given = text.trim();
  const at = given.lastIndexOf('@');
  const [local, domain] = [given.slice(0, at), domainToASCII(given.slice(at + 1))];
  const address = `${local}@${domain}`;
  if (readEmail(given) === undefined || !/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local) || !isPublicName(domain)) {
    const problem = 'must be one e-mail address and nothing else, of plain letters before the @';
    throw invalid({ path: [field], problem });
  }
  if (address.length > MAX_ADDRESS || local.length > MAX_LOCAL) {
    throw invalid({ path: [field], problem: `must have no more than ${MAX_LOCAL} characters before the @` });
  }
  return address;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

export function isFreeMail(address: string): boolean {
  return FREE_MAIL.has(domainOf(address));
}

/** Whether a domain in ASCII can be found by everybody: it has a dot, and is no address. */
export function isPublicName(domain: string): boolean {
  return /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(domain) && domain.length <= 253;
}
