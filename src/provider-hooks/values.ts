import type { OpenedFeedback } from '../domain/senders/feedback-settings.ts';
import { ServiceError } from '../domain/service-error.ts';

/** A request of a provider, as it came. */
export interface HookRequest {
  storeId: string;
  /** All of it, as whoever sends the request knows it. */
  url: string;
  body: Buffer;
  /** A header by its name in any case; empty if there is none. */
  header(name: string): string;
  /** Milliseconds. */
  now: number;
}

export type Settings = Pick<OpenedFeedback, 'secret' | 'key'>;

/** Milliseconds by which a request that is signed may be old, or ahead. */
export const MAX_AGE_MS = 5 * 60 * 1000;
const EARLIEST = Date.UTC(1990, 0, 1);

/** An object of a body of JSON; what is none has no fields. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** Undefined for what is no text, or an empty one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The id in a `Message-ID` of this service, or alone; null if there is none. */
export function messageIdIn(value: unknown): string | null {
  const text = textOf(value)?.slice(0, 1_000);
  const [, id] = /(?:^|[^0-9a-f-])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=@|$)/i.exec(text ?? '') ?? [];
  return id?.toLowerCase() ?? null;
}

/** The enhanced status code of a text that begins with one, or else has one; one that says nothing comes last. */
export function codeIn(...values: readonly unknown[]): string | null {
  const codes = values.flatMap((value) => {
    const text = textOf(value)?.slice(0, 1_000) ?? '';
    const [, code] = /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]\d|\d)/.exec(text) ?? [];
    return code === undefined ? [] : [code];
  });
  return codes.find((code) => !code.endsWith('.0.0')) ?? codes[0] ?? null;
}

/** When something happened, of seconds or a text; now, if that is none, or in the future. */
export function occurredAt(value: unknown, now: number): Date {
  const ms = typeof value === 'number' ? value * 1000 : Date.parse(textOf(value) ?? '');
  return new Date(ms >= EARLIEST && ms <= now ? ms : now);
}

export function unproven(message: string): ServiceError {
  return new ServiceError('unauthorized', message);
}

/** Throws `unauthorized` unless a time, in seconds, is now, more or less. */
export function expectRecent(seconds: unknown, now: number, maxAgeMs = MAX_AGE_MS): void {
  const ms = Number(seconds) * 1000;
  if (Math.abs(now - ms) <= maxAgeMs) return;
  throw unproven('The request was signed too long ago, or one of the clocks is wrong');
}
