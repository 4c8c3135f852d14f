import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { type Secrets, Unopenable } from '../secrets/secrets.ts';
import { invalid } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { type FeedbackProof, placeOfFeedback } from './feedback-place.ts';
import type { FeedbackProvider } from './sender.ts';
import { deletedSender } from './senders.ts';

/** Who tells what becomes of the messages of a sender, and what they prove it by. */
export interface FeedbackSettings {
  /** Null: nobody. */
  provider: FeedbackProvider | null;
  isSecretSet: boolean;
  isKeySet: boolean;
}

export interface FeedbackInput {
  provider: FeedbackProvider | null;
  /** What the store chose. Undefined leaves it as it is. */
  secret: string | null | undefined;
  /** What the provider gave. Undefined leaves it as it is, as long as the provider stays the same. */
  key: string | null | undefined;
}

/** The same, opened: what requests of the provider are held against. */
export interface OpenedFeedback {
  provider: FeedbackProvider | null;
  secret: string | null;
  key: string | null;
}

/** What those prove themselves by that sign with a key of theirs; all others with the secret of the store. */
const KEYS: Readonly<Partial<Record<FeedbackProvider, RegExp>>> = {
  // The topic: Amazon signs for everybody who has one.
  ses: /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/,
  sendgrid: /^[A-Za-z0-9+/]{80,1000}={0,2}$/,
  mailgun: /^[\x21-\x7e]{16,200}$/,
  resend: /^whsec_[A-Za-z0-9+/]{20,200}={0,2}$/,
  twilio: /^[\x21-\x7e]{16,200}$/,
};
const FORMS: Readonly<Partial<Record<FeedbackProvider, string>>> = {
  ses: 'must be the ARN of an SNS topic, as arn:aws:sns:eu-west-1:123456789012:mail',
  sendgrid: 'must be the verification key of the event webhook, in base64',
  mailgun: 'must be the webhook signing key, of 16 to 200 characters',
  resend: 'must be the signing secret of the webhook, which begins with whsec_',
  twilio: 'must be the auth token of the account, of 16 to 200 characters',
};

interface FeedbackRow {
  provider: FeedbackProvider | null;
  secret: string | null;
  key: string | null;
  isDeleted: boolean;
}

async function findRow(db: Sql, storeId: string, id: string, lock = sql``): Promise<FeedbackRow | undefined> {
  const { rows } = await sql<FeedbackRow>`
    select feedback_provider as provider, feedback_secret as secret, feedback_key as key,
      deleted_at is not null as "isDeleted"
    from sender where store_id = ${storeId} and id = ${id} ${lock}`.execute(db);
  return rows[0];
}

/** Undefined if the store has no such sender. */
export async function readFeedbackSettings(
  db: Sql,
  storeId: string,
  id: string,
): Promise<FeedbackSettings | undefined> {
  const row = await findRow(db, storeId, id);
  return row && { provider: row.provider, isSecretSet: row.secret !== null, isKeySet: row.key !== null };
}

/** The same with what proves it; undefined as well if the sender is deleted. What can't be opened any more proves nothing. */
export async function openFeedback(
  db: Sql,
  storeId: string,
  id: string,
  secrets: Secrets,
): Promise<OpenedFeedback | undefined> {
  const row = await findRow(db, storeId, id);
  if (!row || row.isDeleted) return undefined;
  const open = (sealed: string | null, what: FeedbackProof) => {
    try {
      return sealed === null ? null : secrets.open(sealed, placeOfFeedback(storeId, id, what));
    } catch (error) {
      if (error instanceof Unopenable) return null;
      throw error;
    }
  };
  return {
    provider: row.provider,
    secret: open(row.secret, 'feedback_secret'),
    key: open(row.key, 'feedback_key'),
  };
}

/**
 * Says who tells what becomes of the messages of a sender. Undefined if the store has no such sender. Throws
 * `validation_error` for a secret that guards nothing, a key that is not one of the provider, and if the sender is deleted.
 */
export async function updateFeedbackSettings(
  db: Sql,
  storeId: string,
  id: string,
  { provider, secret, key }: FeedbackInput,
  secrets: Secrets,
): Promise<FeedbackSettings | undefined> {
  expectSecret(secret);
  expectKey(provider, key);
  const update = async (tx: Sql) => {
    const row = await findRow(tx, storeId, id, sql`for update`);
    if (!row) return undefined;
    if (row.isDeleted) throw deletedSender();
    const seal = (text: string | null, what: FeedbackProof) =>
      text === null ? null : secrets.seal(text, placeOfFeedback(storeId, id, what));
    const sealedSecret = secret === undefined ? row.secret : seal(secret, 'feedback_secret');
    const kept = row.provider === provider ? row.key : null;
    const sealedKey = key === undefined ? kept : seal(key, 'feedback_key');
    await sql`
      update sender set feedback_provider = ${provider}, feedback_secret = ${sealedSecret}, feedback_key = ${sealedKey}
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return { provider, isSecretSet: sealedSecret !== null, isKeySet: sealedKey !== null };
  };
  return await retryConflicts(db, () => db.transaction().execute(update));
}

/** What a program that signs decodes has to have a key in it: an empty one is everybody's. */
function expectSecret(secret: string | null | undefined): void {
  if (typeof secret !== 'string' || !secret.startsWith('whsec_') || /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret))
    return;
  throw invalid({
    path: ['secret'],
    problem: 'begins with whsec_, and so must go on with at least 16 bytes in base64',
  });
}

function expectKey(provider: FeedbackProvider | null, key: string | null | undefined): void {
  if (typeof key !== 'string') return;
  const form = provider === null ? undefined : KEYS[provider];
  if (!form) throw invalid({ path: ['key'], problem: 'must be left out: this provider gives none' });
  if (!form.test(key)) throw invalid({ path: ['key'], problem: FORMS[provider as FeedbackProvider] as string });
}
