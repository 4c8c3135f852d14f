import { dkimName, dkimRecord } from './dkim-keys.ts';
import type { Check, Sender } from './sender.ts';
import type { DnsRecords } from './tools.ts';

type Found = Omit<Check, 'name'>;

/** Characters of what others have published, as it is repeated. */
const MAX_SHOWN = 200;

/** Whether the owner of a domain lets a store send from it by the shared server. */
export function domainCheck(dns: DnsRecords, domain: string, storeId: string): Promise<Check> {
  return check('domain', async () => {
    const name = `_footfall.${domain}`;
    const wanted = `store=${storeId}`;
    const texts = await dns.texts(name);
    return texts.some((text) => text.trim().toLowerCase() === wanted)
      ? { ok: true, detail: `${name} names the store` }
      : { ok: false, detail: `Publish a TXT record ${name} with "${wanted}", to show that the domain is the store's` };
  });
}

/** Who may send for the domain (RFC 7208). Whether the relay is among them only its owner knows. */
export function spfCheck(dns: DnsRecords, domain: string): Promise<Check> {
  return check('spf', async () => {
    const records = (await dns.texts(domain)).filter((text) => /^v=spf1(?:\s|$)/i.test(text));
    const [record] = records;
    if (record === undefined)
      return { ok: false, detail: `${domain} has no SPF record: publish the one of your relay` };
    if (records.length > 1)
      return { ok: false, detail: `${domain} has ${records.length} SPF records, and may have one` };
    if (/(?:^|\s)\+?all(?:\s|$)/i.test(record)) {
      return { ok: false, detail: `The SPF record lets anybody send for ${domain}: ${shown(record)}` };
    }
    return { ok: true, detail: shown(record) };
  });
}

/** The key by which messages are signed (RFC 6376): `publicKey`, or without one that of the relay. */
export function dkimCheck(
  dns: DnsRecords,
  domain: string,
  { dkimSelector: selector, dkimPublicKey: publicKey }: Pick<Sender, 'dkimSelector' | 'dkimPublicKey'>,
): Promise<Check> {
  return check('dkim', async () => {
    if (selector === null) {
      return { ok: false, detail: 'Say in dkim_selector under which name your relay publishes its key' };
    }
    const name = dkimName(selector, domain);
    const records = (await dns.texts(name)).filter((text) => /(?:^|;)\s*p\s*=/i.test(text));
    const [record] = records;
    if (publicKey !== null && (records.length !== 1 || keyIn(record) !== publicKey)) {
      return { ok: false, detail: `Publish one TXT record ${name}, with "${dkimRecord(publicKey)}"` };
    }
    if (record === undefined) return { ok: false, detail: `${name} has no DKIM key: publish the one of your relay` };
    if (keyIn(record) === '') return { ok: false, detail: `The key at ${name} has been revoked` };
    return { ok: true, detail: `${name} has a key` };
  });
}

/** Spaces within it mean nothing. */
function keyIn(record: string | undefined): string {
  const [, key = ''] = /(?:^|;)\s*p\s*=([^;]*)/i.exec(record ?? '') ?? [];
  return key.replace(/\s+/g, '');
}

/** What receivers are to do with what fails both (RFC 7489): of the domain itself, or of the one above it. */
export function dmarcCheck(dns: DnsRecords, domain: string): Promise<Check> {
  return check('dmarc', async () => {
    const labels = domain.split('.');
    for (let i = 0; i < Math.min(labels.length - 1, 4); i += 1) {
      const name = `_dmarc.${labels.slice(i).join('.')}`;
      const records = (await dns.texts(name)).filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
      const [record] = records;
      if (record === undefined) continue;
      if (records.length > 1) return { ok: false, detail: `${name} has ${records.length} records, and may have one` };
      if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(record)) {
        return { ok: false, detail: `The record at ${name} has no policy (p=): ${shown(record)}` };
      }
      return { ok: true, detail: shown(record) };
    }
    return { ok: false, detail: `Publish a TXT record _dmarc.${domain}, such as "v=DMARC1; p=none"` };
  });
}

/** Where to bounces go: to the address that messages come from. */
export function returnPathCheck(dns: DnsRecords, domain: string): Promise<Check> {
  return check('return_path', async () => {
    const servers = await dns.mailServers(domain);
    if (servers.some((server) => server === '')) return { ok: false, detail: `${domain} says that it takes no mail` };
    const [server] = servers;
    if (server !== undefined) return { ok: true, detail: `Bounces go to ${shown(server)}` };
    const [address] = await dns.addresses(domain);
    return address === undefined
      ? { ok: false, detail: `${domain} has no server that takes mail (MX)` }
      : { ok: true, detail: `Bounces go to ${domain} itself, as it has no MX record` };
  });
}

async function check(name: Check['name'], find: () => Promise<Found>): Promise<Check> {
  const unanswered = { ok: false, detail: 'The name servers of the domain did not answer; try again' };
  return { name, ...(await find().catch(() => unanswered)) };
}

/** On one line, and no longer than is of use. */
function shown(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN - 1)}…`.toWellFormed();
}
