import type { Circumstances } from './circumstances.ts';
import type { FailureReason, Message, MessageChannel, SkipReason, WhyNot } from './message.ts';

/** Milliseconds for which a message may have been due without anything being amiss. */
const USUAL_WAIT_MS = 60_000;

type Words = Omit<WhyNot, 'cause'>;
/** A message of which nobody has said it yet. */
export type Unexplained = Omit<Message, 'whyNot'>;
/** What the words depend on, besides the reason. */
type Told = Pick<Message, 'channel' | 'response'>;

/** Says why a message was not sent, or is not yet. Null if it was, or is about to be. */
export function whyNotSent(message: Unexplained, circumstances: Circumstances | undefined, now: number): WhyNot | null {
  switch (message.status) {
    case 'sent':
    case 'delivered':
    case 'complained':
    case 'claimed':
    case 'sending':
      return null;
    case 'waiting':
      return circumstances ? whyItWaits(message, circumstances, now) : null;
    case 'cancelled':
      return { cause: 'cancelled', explanation: 'Somebody cancelled it before it was sent.', advice: null };
    case 'expired':
      return {
        cause: 'expired',
        explanation: `It was not to be sent so late any more${answer(message.response)}.`,
        advice: 'Let it expire later, or have its sender send sooner.',
      };
    default:
      return whyEnded(message.reason ?? message.status, message);
  }
}

/** The same by the reason for which a message was skipped, failed or is unknown. */
export function whyEnded(reason: string, told: Told): WhyNot {
  const words = WORDS[reason as SkipReason | FailureReason];
  // A later version may have written another one.
  if (!words) return { cause: reason, explanation: `It was not sent: ${reason.replaceAll('_', ' ')}.`, advice: null };
  return { cause: reason, ...words(told) };
}

const WORDS: Readonly<Record<SkipReason | FailureReason, (told: Told) => Words>> = {
  profile_deleted: () => ({ explanation: 'The customer was deleted before it was sent.', advice: null }),
  no_address: ({ channel }) => ({
    explanation: `The customer has no ${addressOf(channel)}.`,
    advice: 'Record one, then send them another message.',
  }),
  no_consent: ({ channel }) => ({
    explanation: `The customer has not subscribed to ${nameOf(channel)}, and marketing is sent to nobody else.`,
    advice: 'Ask for their consent, and record it; a receipt and the like is not marketing, but transactional.',
  }),
  unsubscribed: ({ channel }) => ({
    explanation: `The customer has unsubscribed from ${nameOf(channel)}.`,
    advice: 'Send them no marketing unless they subscribe again.',
  }),
  suppressed: () => ({
    explanation: 'The store sends nothing to this customer.',
    advice: 'Their consent says why and since when; lift the suppression there if it is a mistake.',
  }),
  address_suppressed: () => ({
    explanation:
      'Nothing is sent to this address, whoever has it, as it did not work, or its owner has complained or answered STOP.',
    advice: 'The suppressed addresses say why and since when; release it there if it works again.',
  }),
  too_many_messages: () => ({
    explanation: 'The customer has had as much marketing as the store sends to one customer.',
    advice: 'If that is too little, raise the caps in the message settings.',
  }),
  too_soon: () => ({
    explanation: 'The customer had just had another marketing message.',
    advice: 'If that is too strict, shorten the time between two in the message settings.',
  }),
  time_passed: () => ({
    explanation: 'The time at which its campaign was to reach the customer, by their clock, was over when it began.',
    advice: 'Schedule such a campaign a day ahead, or let it send on the next day.',
  }),
  outside_hours: () => ({
    explanation:
      'It was not one of the hours at which its campaign or automation sends messages, by the clock of the customer.',
    advice: 'Let messages wait for these hours in place of leaving customers out.',
  }),
  missing_value: ({ response }) => ({
    explanation: `A value is missing without which the template sends nothing${answer(response)}.`,
    advice: 'Record the value, or do not require it in the template.',
  }),
  hold_out: () => ({
    explanation:
      'It was kept from the customer, so that those who get the campaign can be compared with those who do not.',
    advice: null,
  }),
  merged: () => ({
    explanation:
      'The customer was merged with another one, who has a message of the same campaign: nobody gets it twice.',
    advice: null,
  }),
  template_too_slow: ({ response }) => ({
    explanation: `It took too long to make the message of its template${answer(response)}.`,
    advice: 'Make the template simpler, above all its loops, and publish it again.',
  }),
  too_large: ({ response }) => ({
    explanation: `The message became too large${answer(response)}.`,
    advice: 'Shorten the template or the lists that it repeats, and publish it again.',
  }),
  render_failed: ({ response }) => ({
    explanation: `No message could be made of the template${answer(response)}.`,
    advice: 'Preview the template for this customer, mend what is wrong, and publish it again.',
  }),
  sender_deleted: () => ({
    explanation: 'Its sender was deleted while it waited.',
    advice: 'Send another message by another sender.',
  }),
  no_mailbox: ({ response }) => ({
    explanation: `The address does not exist${answer(response)}.`,
    advice: 'Ask the customer for another address; nothing more is sent to this one.',
  }),
  recipient_refused: ({ channel, response }) => ({
    explanation: `The ${relayOf(channel)} does not take messages for this address${answer(response)}.`,
    advice: 'Check the address of the customer.',
  }),
  message_refused: ({ channel, response }) => ({
    explanation: `The ${relayOf(channel)} does not take this message${answer(response)}.`,
    advice: 'Change in the template what the answer complains of, and publish it again.',
  }),
  sender_refused: ({ channel, response }) => ({
    explanation: `The ${relayOf(channel)} takes nothing from this sender${answer(response)}.`,
    advice:
      channel === 'sms'
        ? 'Check the sender, and whether its endpoint knows the signatures of the store, or its account lets it send.'
        : 'Check the sender: its password, and whether its relay lets it send from its address.',
  }),
  relay_unreachable: ({ channel, response }) => ({
    explanation: `The ${relayOf(channel)} could not be reached in any attempt${answer(response)}.`,
    advice: 'Check the sender, then send another message.',
  }),
  undecided: ({ channel }) => ({
    explanation: `The ${relayOf(channel)} may have taken it just before the connection or the process ended: nobody knows whether it was sent.`,
    advice: 'Resolve it: send it again, which the customer may get twice, or leave it.',
  }),
};

function whyItWaits(
  { channel, dueAt, attempts, response, createdAt }: Unexplained,
  { hold, isTested, sender }: Circumstances,
  now: number,
): WhyNot | null {
  if (hold === 'paused') {
    return {
      cause: 'store_held',
      explanation: 'Somebody has paused all that this store sends.',
      advice: 'Let it go on under Settings → Pause everything.',
    };
  }
  if (hold === 'restored') {
    return {
      cause: 'store_held',
      explanation: 'This store was restored from a backup, and sends nothing until the operator releases it.',
      advice: 'Ask the operator to release it, unless it is a copy for tests.',
    };
  }
  if (sender.isDeleted) return null;
  if (dueAt === null && isTested) {
    return {
      cause: 'campaign_test',
      explanation: 'It waits until one of the variants that others try has won.',
      advice: 'The results of the campaign say how they do, and let you choose one.',
    };
  }
  if (dueAt === null) {
    return { cause: 'campaign_paused', explanation: 'Its campaign is paused.', advice: 'Resume the campaign.' };
  }
  if (!sender.isReady) return whyNotReady(sender);
  if (dueAt !== null && dueAt.getTime() > now) {
    if (attempts === 0) {
      return { cause: 'scheduled', explanation: 'Its time has not come yet.', advice: null };
    }
    return {
      cause: 'retrying',
      explanation: `The ${relayOf(channel)} has not taken it so far${answer(response)}; it is tried again by itself.`,
      advice: null,
    };
  }
  const ofSender = whySenderWaits(sender, channel, now);
  if (ofSender) return ofSender;
  if (now - (dueAt ?? createdAt).getTime() < USUAL_WAIT_MS) return null;
  return {
    cause: 'sender_busy',
    explanation: 'Other messages of its sender are sent before it.',
    advice: 'Raise max_per_second of the sender where what takes its messages allows more.',
  };
}

/** Says why a sender begins no messages now. Null if it does, or is deleted. */
export function whySenderWaits(sender: Circumstances['sender'], channel: MessageChannel, now: number): WhyNot | null {
  if (sender.isDeleted) return null;
  if (!sender.isReady) return whyNotReady(sender);
  if (sender.restingUntil !== null && sender.restingUntil.getTime() > now) {
    return {
      cause: 'sender_resting',
      explanation: `Its sender rests until ${clock(sender.restingUntil)}, as its ${relayOf(channel)} did nothing but fail.`,
      advice: `Check the sender, and the ${relayOf(channel)} that it names.`,
    };
  }
  if (!sender.isSpent) return null;
  if (sender.isWarmingUp) {
    return {
      cause: 'sender_warming_up',
      explanation: 'Its sender has sent all that it may today, as it warms up.',
      advice: 'It is sent on one of the next days, on each of which the sender may send twice as many.',
    };
  }
  return {
    cause: 'sender_daily_limit',
    explanation: 'Its sender has sent all that it may today.',
    advice: 'It is sent tomorrow; raise max_per_day of the sender where what takes its messages allows more.',
  };
}

function whyNotReady({ failing }: Circumstances['sender']): WhyNot {
  if (failing === null) {
    return {
      cause: 'sender_not_checked',
      explanation: 'Its sender has not been checked since it was changed.',
      advice: 'Check the sender.',
    };
  }
  return {
    cause: 'sender_check_failed',
    explanation: `The check ${failing} of its sender does not hold.`,
    advice: 'The page of the sender says what to mend; then check it again.',
  };
}

/** What was answered, or what went wrong, in brackets. */
function answer(response: string | null): string {
  return response === null ? '' : ` (“${/^[a-z_]+$/.test(response) ? response.replaceAll('_', ' ') : response}”)`;
}

function addressOf(channel: MessageChannel): string {
  return channel === 'sms' ? 'phone number in international form, which begins with +' : 'e-mail address';
}

/** What takes messages from a sender. */
function relayOf(channel: MessageChannel): string {
  return channel === 'sms' ? 'endpoint or provider' : 'relay';
}

function nameOf(channel: MessageChannel): string {
  return channel === 'sms' ? 'text messages' : 'e-mail';
}

/** As `2026-11-20 08:05 UTC`. */
function clock(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
