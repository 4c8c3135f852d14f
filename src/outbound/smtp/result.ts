import type { HandOverFailure, HandOverResult } from '../../domain/senders/hand-over.ts';
import { errorOf } from '../errors.ts';

type Refused = Extract<HandOverResult, { outcome: 'refused' }>;

/** Characters of a response that are kept. */
const MAX_RESPONSE = 200;

/** What nodemailer says of a failure. */
interface SmtpError extends Error {
  code?: string;
  /** Of the system, in whose place `code` stands. */
  originalCode?: string;
  response?: string;
  responseCode?: number;
  command?: string;
}

/** Returns a response as it is kept: on one line, cut, and without what Postgres can't store or a page would obey. */
export function shorten(response: string): string {
  const line = response
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  return line.length <= MAX_RESPONSE ? line : `${line.slice(0, MAX_RESPONSE - 1)}…`.toWellFormed();
}

/** Returns what came of a message, or of the set-up. `isSent`: whether all of it has been sent, perhaps. */
export function resultOf(error: unknown, isSent: boolean): HandOverResult {
  const { code, command = 'CONN', response = '', responseCode = 0 } = error as SmtpError;
  // After the last byte only the answer to the message says what has become of it.
  const isAnswer = !isSent || (code === 'EMESSAGE' && command === 'DATA');
  if (isAnswer && responseCode >= 400 && responseCode < 600 && code !== 'ETLS') {
    return refusal(responseCode, response, command);
  }
  if (code === 'EMESSAGE' && command === 'MAIL FROM') return tooLarge(error as SmtpError);
  return { outcome: 'failed', reason: reasonOf(error as SmtpError), maybeSent: isSent };
}

export function refusal(code: number, response: string, command: string): Refused {
  const [, enhanced = null] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response) ?? [];
  const of = refusedPart(enhanced, command);
  return { outcome: 'refused', permanent: code >= 500, code, enhanced, response: shorten(response), of };
}

/** RFC 3463: the second number of the enhanced code says what it is about, the command what it was in answer to. */
function refusedPart(enhanced: string | null, command: string): Refused['of'] {
  const subject = enhanced?.split('.')[1];
  const isAboutMessage = command === 'DATA';
  if (command !== 'RCPT TO' && !isAboutMessage) return 'us';
  if (subject === '7') return 'us';
  if (subject === '1' || subject === '2') return 'recipient';
  return isAboutMessage ? 'message' : 'recipient';
}

/** The server has said how much it takes, so it was not sent. */
function tooLarge({ message }: SmtpError): Refused {
  return {
    outcome: 'refused',
    permanent: true,
    code: 552,
    enhanced: '5.3.4',
    response: shorten(message),
    of: 'message',
  };
}

function reasonOf(error: SmtpError): HandOverFailure {
  const { code, originalCode, response } = error;
  switch (code) {
    case 'ETLS':
      return response ? 'tls_not_offered' : 'tls_failed';
    case 'EPROTOCOL':
    case 'EAUTH':
      return 'malformed_answer';
    case 'ECONNECTION':
      return 'connection_closed';
    case 'ETIMEDOUT':
      return originalCode === undefined ? 'timeout' : errorOf(Object.assign(new Error(), { code: originalCode }));
    default:
      return errorOf(originalCode === undefined ? error : Object.assign(new Error(), { code: originalCode }));
  }
}
