import { isDatabaseError } from './db/errors.ts';

/** A command could not start, for a reason that whoever starts it can do something about: the message says what. */
export class StartError extends Error {}

/** What to tell whoever started a command that failed: a sentence where the reason is known, else the error itself. */
export function explain(error: unknown): unknown {
  if (error instanceof StartError) return error.message;
  if (isDatabaseError(error)) {
    const { message, code } = error as Error & { code?: string };
    return `The database can't be used: ${message || code}`;
  }
  return error;
}
