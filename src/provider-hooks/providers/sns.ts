import { verify, X509Certificate } from 'node:crypto';
import { overloaded, ServiceError } from '../../domain/service-error.ts';
import { expectRecent, type Fields, textOf, unproven } from '../values.ts';

/** Gets a text by HTTPS from a server of Amazon. Rejects for anything but a 200, and for a long one. */
export type FetchText = (url: string) => Promise<string>;

/** Certificates that are kept, for how many milliseconds, and how many are fetched at a time. */
const [MOST_KEPT, KEPT_MS, MOST_FETCHED] = [20, 24 * 60 * 60 * 1000, 4];
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
  #fetching = 0;

  constructor(fetchText: FetchText) {
    this.#fetchText = fetchText;
  }

  /** Throws `unauthorized` unless the message is of the topic, and signed by Amazon. Nothing is fetched from anybody else. */
  async expect(message: Fields, topic: string | null, now: number): Promise<void> {
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
    const certificate = await this.#certificateAt(url.href, now);
    const lines = names.flatMap((name) => {
      const value = textOf(message[name]);
      return value === undefined ? [] : [`${name}\n${value}\n`];
    });
    const signature = Buffer.from(textOf(message.Signature) ?? '', 'base64');
    if (verifies(digest, lines.join(''), certificate, signature)) return;
    throw unproven('The signature is not that of Amazon SNS');
  }

  /** Says to Amazon that the hook is wanted, by the URL of a message that was proven. */
  async confirm(message: Fields, topic: string): Promise<void> {
    const url = ofAmazon(message.SubscribeURL, topic);
    if (!url) throw unproven('SubscribeURL does not lead to Amazon SNS');
    await this.#fetch(url.href);
  }

  async #certificateAt(url: string, now: number): Promise<X509Certificate> {
    const kept = this.#certificates.get(url);
    if (kept && kept.until > now) return kept.certificate;
    const certificate = readCertificate(await this.#fetch(url));
    if (this.#certificates.size >= MOST_KEPT) this.#certificates.clear();
    this.#certificates.set(url, { certificate, until: now + KEPT_MS });
    return certificate;
  }

  async #fetch(url: string): Promise<string> {
    if (this.#fetching >= MOST_FETCHED) throw overloaded();
    this.#fetching += 1;
    try {
      return await this.#fetchText(url);
    } catch (cause) {
      throw new ServiceError('upstream_error', 'Amazon SNS could not be asked; try again', { retryAfter: 10, cause });
    } finally {
      this.#fetching -= 1;
    }
  }
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
