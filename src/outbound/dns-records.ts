import { Resolver } from 'node:dns/promises';
import type { DnsRecords } from '../domain/senders/tools.ts';

/** What says that there is no such record. */
const NOTHING = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME', 'NOTFOUND']);
/** Records of a name that are looked at, and characters of each. */
const [MAX_RECORDS, MAX_LENGTH] = [50, 4_096];

/** Asks name servers directly, those of the system by default. */
export function dnsRecords(servers?: readonly string[]): DnsRecords {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const ask = async <Found>(answer: Promise<Found[]>): Promise<Found[]> => {
    try {
      return (await answer).slice(0, MAX_RECORDS);
    } catch (error) {
      if (NOTHING.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
  return {
    texts: async (name) => (await ask(resolver.resolveTxt(name))).map((parts) => parts.join('').slice(0, MAX_LENGTH)),
    mailServers: async (name) => {
      const found = await ask(resolver.resolveMx(name));
      return found.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange.replace(/\.$/, ''));
    },
    addresses: async (name) => [...(await ask(resolver.resolve4(name))), ...(await ask(resolver.resolve6(name)))],
  };
}
