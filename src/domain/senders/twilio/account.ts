import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { invalid } from '../../service-error.ts';
import { placeOfFeedback } from '../feedback-place.ts';
import { placeOfPassword } from '../relay.ts';
import type { Sender, TwilioSettings } from '../sender.ts';

/** Settings of a sender of the kind `twilio`, as they are asked for. */
export interface TwilioInput {
  accountSid?: string | undefined;
  /** Undefined leaves it as it is, as long as the account stays the same. */
  authToken?: string | undefined;
  apiKeySid?: string | undefined;
  /** Undefined leaves it as it is, as long as the account and the key stay the same. */
  apiKeySecret?: string | undefined;
  from?: string | undefined;
  messagingServiceSid?: string | undefined;
}

/** Who sends text messages by Twilio, and what they are known by there. */
export interface TwilioUser extends TwilioSettings {
  /** Connections are kept for it, and for nobody else. */
  senderId: string;
  /** Of the service that takes them, without a slash at its end. */
  url: string;
  login: { user: string; password: string };
}

/** An international number, a short one, or a name of 11 characters. */
const FROM = /^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 &+_-]{1,11})$/;

/** Throws `validation_error` for what is missing or contradictory. */
export function checkTwilio(input: TwilioInput): TwilioSettings {
  const problem = (field: string, text: string) => invalid({ path: ['settings', field], problem: text });
  const { accountSid, apiKeySid = null, apiKeySecret, from = null, messagingServiceSid = null } = input;
  if (accountSid === undefined) throw problem('account_sid', 'is required');
  if (from === null && messagingServiceSid === null) {
    throw problem('from', 'is required, unless there is a messaging_service_sid');
  }
  if (from !== null && messagingServiceSid !== null) {
    throw problem('messaging_service_sid', 'must be left out where there is a from');
  }
  if (from !== null && !FROM.test(from)) {
    throw problem(
      'from',
      'must be an international number, which begins with +, a short one, or a name of 11 characters',
    );
  }
  if (apiKeySid === null && apiKeySecret !== undefined) throw problem('api_key_sid', 'is required with api_key_secret');
  return { accountSid, apiKeySid, from, messagingServiceSid };
}

/**
 * Returns what logs in to an account, sealed: the auth token, or the secret of its API key. What is not given anew stays,
 * but is not sent to another account. Throws `validation_error` where there is none.
 */
export function sealedLogin(
  storeId: string,
  senderId: string,
  settings: TwilioSettings,
  { authToken, apiKeySecret }: TwilioInput,
  before: { twilio: Sender['twilio']; sealedPassword: string | null } | undefined,
  secrets: Secrets,
): string {
  const given = settings.apiKeySid === null ? authToken : apiKeySecret;
  if (given !== undefined) return secrets.seal(given, placeOfPassword(storeId, senderId));
  const isSame = before?.twilio?.accountSid === settings.accountSid && before.twilio.apiKeySid === settings.apiKeySid;
  if (isSame && before.sealedPassword !== null) return before.sealedPassword;
  const field = settings.apiKeySid === null ? 'auth_token' : 'api_key_secret';
  const when = before ? 'must be given anew for another account or key' : 'is required';
  throw invalid({ path: ['settings', field], problem: when });
}

/**
 * Keeps the auth token as what the hooks of Twilio are signed by, where it is who tells what becomes of messages. Without
 * one, that of another account counts no more.
 */
export async function keepSigningToken(
  tx: Sql,
  storeId: string,
  senderId: string,
  { authToken }: TwilioInput,
  isOtherAccount: boolean,
  secrets: Secrets,
): Promise<void> {
  if (authToken === undefined && !isOtherAccount) return;
  const sealed =
    authToken === undefined ? null : secrets.seal(authToken, placeOfFeedback(storeId, senderId, 'feedback_key'));
  await sql`
    update sender set feedback_key = ${sealed}
    where store_id = ${storeId} and id = ${senderId} and feedback_provider = 'twilio'`.execute(tx);
}

/** Undefined for any other kind of sender. Throws `Unopenable`. */
export function twilioUserOf(
  storeId: string,
  { sender: { id, twilio }, sealedPassword }: { sender: Sender; sealedPassword: string | null },
  { secrets, twilioUrl: url }: { secrets: Secrets; twilioUrl: string },
): TwilioUser | undefined {
  if (!twilio || sealedPassword === null) return undefined;
  const password = secrets.open(sealedPassword, placeOfPassword(storeId, id));
  return { ...twilio, senderId: id, url, login: { user: twilio.apiKeySid ?? twilio.accountSid, password } };
}
