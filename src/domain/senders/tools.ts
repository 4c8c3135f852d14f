import type { Secrets, Signer } from '../secrets/secrets.ts';
import type { Send } from '../webhooks/deliveries/attempt.ts';
import type { Networks } from '../webhooks/endpoints/networks.ts';
import type { DkimKeys } from './dkim-keys.ts';
import type { MailHandOver, Relay } from './hand-over.ts';

/** What is published of a domain. Each answers with nothing where there is none, and rejects if nobody answers. */
export interface DnsRecords {
  /** The texts of a name, each in one piece. */
  texts(name: string): Promise<string[]>;
  /** The names of the servers that take mail for a domain; `''` says that none does. */
  mailServers(name: string): Promise<string[]>;
  addresses(name: string): Promise<string[]>;
}

/** What senders need, beside the database. */
export interface SenderTools {
  secrets: Secrets;
  handOver: MailHandOver;
  /** Calls what takes text messages: endpoints, and Twilio. */
  sendWebhook: Send;
  dns: DnsRecords;
  networks: Networks;
  /** Whether there are networks in which servers may be at any port. */
  hasExceptions: boolean;
  /** Without a slash at its end. */
  publicUrl: string | undefined;
  /** The same, where it is not set for the network of the service alone. */
  linkBase: string;
  /** Signs where providers tell what comes back. */
  hookTokens: Signer;
  dkimKeys: Pick<DkimKeys, 'draw'>;
  /** Messages in a second that a sender may be given at most. */
  maxPerSecond: number;
  /** Where Twilio takes text messages, without a slash at its end. */
  twilioUrl: string;
  /** The server of the operator; undefined if there is none. */
  shared: { relay: Relay; maxPerDay: number } | undefined;
}
