import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Of a signature that counts: shorter ones could be guessed. */
const MIN_SIGNATURE_BYTES = 16;

/** A key from which others are derived. It can be handed to a thread. */
export interface SecretKey {
  /** Tells keys apart, and nothing of the key. */
  id: string;
  bytes: Uint8Array;
}

/** What was sealed can't be opened: its key is gone, or it is not what was sealed for this place. */
export class Unopenable extends Error {
  readonly reason: 'unknown_key' | 'altered';

  constructor(reason: Unopenable['reason']) {
    super(reason === 'unknown_key' ? 'It was sealed with a key that is not known any more' : 'It has been altered');
    this.reason = reason;
  }
}

/** Returns the key that a text stands for. Texts of 32 characters and more are long enough if they are random. */
export function keyOfText(text: string): SecretKey {
  const bytes = derived(Buffer.from(text), 'secret key');
  return { id: derived(bytes, 'key id').subarray(0, 4).toString('hex'), bytes };
}

/** Keeps what is secret in the database, and signs what comes back from elsewhere. The first key is the current one. */
export class Secrets {
  readonly keys: readonly SecretKey[];

  constructor(keys: readonly SecretKey[]) {
    if (keys.length === 0) throw new TypeError('There must be a key');
    this.keys = keys;
  }

  /** Encrypts a text. `place` says what it is and whose, such as the table, the store, the row and the column. */
  seal(text: string, place: readonly string[]): string {
    const [{ id, bytes }] = this.keys as [SecretKey];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, derived(bytes, 'encryption'), nonce).setAAD(dataOf(id, place));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${id}.${sealed.toString('base64url')}`;
  }

  /** Decrypts what was sealed for the same place, by any of the keys. Throws `Unopenable`. */
  open(sealed: string, place: readonly string[]): string {
    const [id = '', content = ''] = sealed.split('.');
    const key = this.keys.find((one) => one.id === id);
    if (!key) throw new Unopenable('unknown_key');
    const bytes = Buffer.from(content, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Unopenable('altered');
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
    const decipher = createDecipheriv(CIPHER, derived(key.bytes, 'encryption'), nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(dataOf(id, place)).setAuthTag(tag);
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return text.toString('utf8');
    } catch {
      throw new Unopenable('altered');
    }
  }

  /** Returns what signs for one purpose, such as `message-tokens`: what one purpose has signed means nothing to another. */
  derive(name: string): Signer {
    return new Signer(this.keys.map(({ bytes }) => derived(bytes, `signing ${name}`)));
  }
}

/** Signs by HMAC-SHA256 with the current key, and knows the signatures of all keys. */
export class Signer {
  /** They can be handed to a thread, which makes a signer of them. */
  readonly keys: readonly Uint8Array[];

  constructor(keys: readonly Uint8Array[]) {
    this.keys = keys;
  }

  /** `length`: bytes of the signature, from 16 to 32. */
  sign(data: string | Uint8Array, length = 32): Buffer {
    return this.#signature(this.keys[0] as Uint8Array, data).subarray(0, Math.max(MIN_SIGNATURE_BYTES, length));
  }

  /** Takes the same time wherever the signature differs. */
  verify(data: string | Uint8Array, signature: Uint8Array): boolean {
    if (signature.length < MIN_SIGNATURE_BYTES || signature.length > 32) return false;
    // All of them, whichever fits.
    const fits = this.keys.map((key) =>
      timingSafeEqual(this.#signature(key, data).subarray(0, signature.length), signature),
    );
    return fits.includes(true);
  }

  #signature(key: Uint8Array, data: string | Uint8Array): Buffer {
    return createHmac('sha256', key).update(data).digest();
  }
}

function derived(bytes: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, '', `footfall ${purpose}`, 32));
}

/** Unambiguous, whatever the parts contain. */
function dataOf(keyId: string, place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([keyId, ...place]));
}
