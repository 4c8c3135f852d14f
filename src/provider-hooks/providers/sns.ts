import { verify, X509Certificate } from 'node:crypto';
import { overloaded, ServiceError } from '../../domain/service-error.ts';
import { expectRecent, type Fields, textOf, unproven } from '../values.ts';

/** Gets a text by HTTPS from a server of Amazon. Rejects for anything but a 200, and for a long one. */
export type FetchText = (url: string) => Promise<string>;

/** Certificates that are kept, and for how many milliseconds. */
const [MOST_KEPT, KEPT_MS] = [100, 24 * 60 * 60 * 1000];
/** What could not be fetched for stores, and for how many milliseconds nobody asks for it again. */
const [MOST_FAILED, FAILED_MS] = [1_000, 60 * 1000];
/** Stores for which something is fetched at a time: for each, one thing. */
const MOST_FETCHING = 64;
/** SNS repeats a notification for an hour, with its first time and signature; the last repeat comes a little later. */
const MAX_AGE_MS = 2 * 60 * 60 * 1000;

const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};
const DIGESTS: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' };

/** Knows whether Amazon SNS has signed a message. */
export class SnsSignatures {
  readonly #fetchText: FetchText;
  readonly #certificates = new Map<string, { certificate: X509Certificate; until: number }>();
  /** By store and URL: what one store names costs no other. */
  readonly #failed = new Map<string, { error: unknown; until: number }>();
  /** By store. */
  readonly #fetching = new Map<string, { url: string; text: Promise<string> }>();

  constructor(fetchText: FetchText) {
    this.#fetchText = fetchText;
  }

  /** Throws `unauthorized` unless the message is of the topic, and signed by Amazon. Nothing is fetched from anybody else. */
  async expect(storeId: string, message: Fields, topic: string | null, now: number): Promise<void> {
    if (topic === null) throw unproven('The sender has no SNS topic yet');
    // Amazon signs for everybody who has a topic.
    if (message.TopicArn !== topic) throw unproven('The SNS topic is not that of the sender');
    const names = SIGNED[textOf(message.Type) ?? ''];
    const digest = DIGESTS[String(message.SignatureVersion)];
    if (!names || !digest) throw unproven('This is no message of SNS, or it is signed in an unknown way');
    expectRecent(Date.parse(textOf(message.Timestamp) ?? '') / 1000, now, MAX_AGE_MS);
    const url = ofAmazon(message.SigningCertURL, topic);
    if (!url || !/^\/SimpleNotificationService-[A-Za-z0-9]{1,64}\.pem$/.test(url.pathname) || url.search !== '') {
      throw unproven('SigningCertURL does not lead to a certificate of Amazon SNS');
    }
    const certificate = await this.#certificateAt(storeId, url.href, now);
    const lines = names.flatMap((name) => {
      const value = textOf(message[name]);
      return value === undefined ? [] : [`${name}\n${value}\n`];
    });
    const signature = Buffer.from(textOf(message.Signature) ?? '', 'base64');
    if (verifies(digest, lines.join(''), certificate, signature)) return;
    throw unproven('The signature is not that of Amazon SNS');
  }

  /** Says to Amazon that the hook is wanted, by the URL of a message that was proven. */
  async confirm(storeId: string, message: Fields, topic: string, now: number): Promise<void> {
    const url = ofAmazon(message.SubscribeURL, topic);
    if (!url) throw unproven('SubscribeURL does not lead to Amazon SNS');
    await this.#fetch(storeId, url.href, now);
  }

  async #certificateAt(storeId: string, url: string, now: number): Promise<X509Certificate> {
    const kept = this.#certificates.get(url);
    if (kept && kept.until > now) return kept.certificate;
    const text = await this.#fetch(storeId, url, now);
    try {
      const certificate = readCertificate(text);
      keep(this.#certificates, url, { certificate, until: now + KEPT_MS }, MOST_KEPT);
      return certificate;
    } catch (error) {
      this.#fail(storeId, url, error, now);
      throw error;
    }
  }

  /** What is fetched for a store already is waited for, if it is the same. */
  async #fetch(storeId: string, url: string, now: number): Promise<string> {
    const failed = this.#failed.get(`${storeId} ${url}`);
    if (failed && failed.until > now) throw failed.error;
    const current = this.#fetching.get(storeId);
    if (current) {
      if (current.url !== url) throw overloaded();
      return await current.text;
    }
    if (this.#fetching.size >= MOST_FETCHING) throw overloaded();
    const text = this.#fetchText(url).catch((cause) => {
      const options = { retryAfter: FAILED_MS / 1000, cause };
      const error = new ServiceError('upstream_error', 'Amazon SNS could not be asked; try again', options);
      this.#fail(storeId, url, error, now);
      throw error;
    });
    this.#fetching.set(storeId, { url, text });
    return await text.finally(() => this.#fetching.delete(storeId));
  }

  #fail(storeId: string, url: string, error: unknown, now: number): void {
    keep(this.#failed, `${storeId} ${url}`, { error, until: now + FAILED_MS }, MOST_FAILED);
  }
}

/** Of more than are kept, what was kept first goes. */
function keep<Value>(all: Map<string, Value>, key: string, value: Value, most: number): void {
  all.delete(key);
  for (const first of all.keys()) {
    if (all.size < most) break;
    all.delete(first);
  }
  all.set(key, value);
}

/** Undefined for anything but a URL of SNS in the region of the topic. */
function ofAmazon(value: unknown, topic: string): URL | undefined {
  const text = textOf(value) ?? '';
  if (text.length > 2_000 || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const [, partition = '', , region = ''] = topic.split(':');
  const host = `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
  const isPlain = url.port === '' && url.username === '' && url.password === '' && url.hash === '';
  return url.protocol === 'https:' && url.hostname === host && isPlain ? url : undefined;
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw unproven('SigningCertURL has no certificate');
  }
}

function verifies(digest: string, text: string, { publicKey }: X509Certificate, signature: Buffer): boolean {
  try {
    return verify(digest, Buffer.from(text), publicKey, signature);
  } catch {
    return false;
  }
}
