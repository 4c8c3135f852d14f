import { invalid } from '../service-error.ts';
import { readAddress } from './address.ts';
import { type CheckedRelay, checkRelay, type RelayInput } from './relay.ts';
import type { SenderClass, SenderKind } from './sender.ts';
import type { SenderTools } from './tools.ts';

export interface SenderInput {
  name: string;
  /** Null where it sends no e-mail. */
  fromEmail: string | null;
  fromName: string | null;
  replyTo: string | null;
  class: SenderClass;
  /** Undefined for an outbox. */
  settings: (RelayInput & { endpointId?: string | undefined }) | undefined;
  dkimSelector: string | null;
  /** Whether messages are signed here, rather than by the relay. */
  signsDkim: boolean;
  maxPerSecond: number;
  /** Null for any number. */
  maxPerDay: number | null;
  maxConcurrent: number;
}

/** What a sender of a kind was checked to be. */
export interface CheckedSender {
  relay: CheckedRelay | undefined;
  /** The columns of its row but the password. */
  row: ReturnType<typeof rowOf>;
}

/** Throws `validation_error` for what a sender of the kind can't be. */
export function checkInput(kind: SenderKind, input: SenderInput, tools: SenderTools): CheckedSender {
  const { settings } = input;
  if (kind === 'outbox') {
    if (settings !== undefined) throw invalid({ path: ['settings'], problem: 'must be left out for an outbox' });
    return { relay: undefined, row: rowOf(input, tools, undefined, addressesOf(input)) };
  }
  if (settings === undefined) throw invalid({ path: ['settings'], problem: 'is required' });
  if (kind === 'webhook') {
    expectNothingOfEmail(input);
    return { relay: undefined, row: rowOf(input, tools, undefined, { fromEmail: null, replyTo: null }) };
  }
  if (settings.endpointId !== undefined) {
    throw invalid({ path: ['settings', 'endpoint_id'], problem: 'must be left out but for a webhook' });
  }
  const relay = checkRelay(settings, tools);
  return { relay, row: rowOf(input, tools, relay, addressesOf(input)) };
}

function expectNothingOfEmail({ fromEmail, replyTo, dkimSelector, settings }: SenderInput): void {
  const { endpointId, isShared, ...relay } = settings as NonNullable<SenderInput['settings']>;
  const problem = 'must be left out or null for a webhook';
  if (fromEmail !== null) throw invalid({ path: ['from_email'], problem });
  if (replyTo !== null) throw invalid({ path: ['reply_to'], problem });
  if (dkimSelector !== null) throw invalid({ path: ['dkim_selector'], problem });
  if (endpointId === undefined) throw invalid({ path: ['settings', 'endpoint_id'], problem: 'is required' });
  for (const [name, value] of Object.entries({ shared: isShared || undefined, ...relay })) {
    if (value !== undefined) throw invalid({ path: ['settings', name], problem: 'must be left out for a webhook' });
  }
}

function addressesOf({ fromEmail, replyTo }: SenderInput): { fromEmail: string; replyTo: string | null } {
  if (fromEmail === null) throw invalid({ path: ['from_email'], problem: 'is required' });
  return {
    fromEmail: readAddress(fromEmail, 'from_email'),
    replyTo: replyTo === null ? null : readAddress(replyTo, 'reply_to'),
  };
}

function rowOf(
  { settings, ...input }: SenderInput,
  { shared, maxPerSecond }: SenderTools,
  relay: CheckedRelay | undefined,
  addresses: { fromEmail: string | null; replyTo: string | null },
) {
  const own = relay && !relay.isShared ? relay : { host: null, port: null, security: null, user: null };
  if (input.maxPerSecond > maxPerSecond) {
    throw invalid({ path: ['max_per_second'], problem: `must be at most ${maxPerSecond} (MESSAGE_MAX_PER_SECOND)` });
  }
  if (input.signsDkim && !relay) {
    const what = settings === undefined ? 'an outbox' : 'a webhook';
    throw invalid({ path: ['dkim_signing'], problem: `must be false for ${what}` });
  }
  if (input.signsDkim && input.dkimSelector === null) {
    throw invalid({ path: ['dkim_selector'], problem: 'is required with dkim_signing' });
  }
  const { maxPerDay } = input;
  const most = relay?.isShared ? (shared?.maxPerDay ?? 0) : Number.POSITIVE_INFINITY;
  if (maxPerDay !== null && maxPerDay > most) {
    throw invalid({ path: ['max_per_day'], problem: `must be at most ${most} by the shared server` });
  }
  return {
    ...input,
    ...own,
    ...addresses,
    isShared: relay?.isShared ?? false,
    endpointId: settings?.endpointId ?? null,
    maxPerDay: maxPerDay ?? (Number.isFinite(most) ? most : null),
  };
}
