import type { Campaign, CampaignStatus, TemplateSummary } from '../../../client/index.ts';

export const STATUS_COLORS: Readonly<Record<CampaignStatus, string>> = {
  draft: 'gray',
  scheduled: 'blue',
  preparing: 'blue',
  sending: 'blue',
  paused: 'yellow',
  sent: 'green',
  cancelled: 'gray',
  held: 'yellow',
  missed: 'yellow',
};

export const STATUS_WORDS: Readonly<Record<CampaignStatus, string>> = {
  draft: 'Nothing is sent yet.',
  scheduled: 'It waits for its time.',
  preparing: 'It looks for its recipients; the first may get it already.',
  sending: 'It is being sent.',
  paused: 'It begins no more messages until somebody resumes it.',
  sent: 'Nothing is left to do.',
  cancelled: 'It is over; what had not begun was not sent.',
  held: 'The store was paused when its time came, or was restored from a backup, so that it may have been sent since. Somebody has to decide about it.',
  missed:
    'It could not begin within an hour of its time: the service was away, or five others were under way. Take it back, and schedule it anew.',
};

/** Why it has paused itself. */
export const PAUSE_WORDS: Readonly<Record<string, string>> = {
  too_many_bounces: 'Too many of its messages came back, as there are no such addresses.',
  too_many_complaints: 'Too many of its readers complained.',
  sender_failing: 'Its sender does nothing but fail.',
  coupon_pool_empty: 'Its coupon pool has no code left. Add some, then go on.',
  coupon_pool_expired: 'Its coupon pool has expired.',
  template_too_slow: 'Its template takes too long.',
  test_unclear:
    'None of its variants is clearly better. Choose one below, or resume it later: then it is decided anew.',
  test_failed: 'No message of its variants has arrived. Find out why, and choose one below or cancel it.',
};

/** Why customers are not sent it, or were not. */
export const REASON_WORDS: Readonly<Record<string, string>> = {
  excluded: 'In what it leaves out',
  hold_out: 'Held out, to compare',
  profile_deleted: 'Deleted meanwhile',
  merged: 'Merged with another recipient',
  no_address: 'Can’t be reached',
  no_consent: 'Have not subscribed',
  unsubscribed: 'Have unsubscribed',
  suppressed: 'Suppressed customers',
  address_suppressed: 'Suppressed addresses',
  too_many_messages: 'Have had enough marketing lately',
  too_soon: 'Have just had another message',
  time_passed: 'Their time was over when it began',
  outside_hours: 'Due outside the hours of the campaign',
  missing_value: 'Lack what the template requires',
  no_mailbox: 'No such address',
  recipient_refused: 'Refused by their provider',
  message_refused: 'The message was refused',
  sender_refused: 'The sender was refused',
  relay_unreachable: 'The relay could not be reached',
  sender_deleted: 'The sender was deleted',
  render_failed: 'No message could be made',
};

/** Which recipients of a campaign another one goes to. Who has opened is known at most. */
export const WHO_WORDS: Readonly<Record<string, string>> = {
  non_openers: 'Who has not opened it, as far as is known',
  non_clickers: 'Who has not clicked',
  skipped: 'Who was skipped',
  failed: 'Whose message failed',
};

/** What the test of its variants came to. */
export const VERDICT_WORDS: Readonly<Record<string, string>> = {
  significant: 'The rest get the winner, which was better than the next one with a confidence of 95 %.',
  unclear: 'None was clearly better, so the rest get the first that arrived.',
  unopposed: 'The rest get the only one that arrived.',
  chosen: 'Somebody has chosen the winner, which the rest get.',
  no_rest: 'All recipients have tried a variant, so nobody is left to get a winner.',
};

/** Whether a template can be sent by campaigns of a channel. */
export function fitsCampaign(channel: Campaign['channel']): (template: TemplateSummary) => boolean {
  return ({ use, version, kind, status }) =>
    use === 'message' && version !== null && status !== 'archived' && (kind === 'sms') === (channel === 'sms');
}
