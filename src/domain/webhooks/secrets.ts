import type { RawJson } from '../../db/raw-json.ts';

/** A secret that was replaced, and until when it signs beside its successor, in milliseconds. */
export interface PreviousSecret {
  secret: string;
  until: number;
}

export interface SecretColumns {
  secret: string;
  previousSecrets: RawJson;
}

/** The secrets that sign at a time, the latest first. */
export function signingSecrets({ secret, previousSecrets }: SecretColumns, now: number): string[] {
  return [secret, ...stillSigning(previousSecrets, now).map((previous) => previous.secret)];
}

export function stillSigning(previous: RawJson, now: number): PreviousSecret[] {
  return (JSON.parse(previous.text) as PreviousSecret[]).filter(({ until }) => until > now);
}
