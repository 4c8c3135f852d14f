/** Events by which others hear of opens and clicks. The service alone knows whether they happened. */
export const [EMAIL_OPENED, EMAIL_CLICKED] = ['email_opened', 'email_clicked'] as const;

/** What a customer has answered to a text message. */
export const SMS_REPLIED = 'sms_replied';

/** What is told of a message besides. */
const FATES = ['sent', 'delivered', 'bounced', 'complained', 'unsubscribed'] as const;
export type Fate = (typeof FATES)[number];

/** The event by which others hear of it. */
export const typeOfFate = (channel: 'email' | 'sms', fate: Fate): string => `${channel}_${fate}`;

/** Of what becomes of messages. */
export const TYPES_OF_MESSAGES: readonly string[] = [
  EMAIL_OPENED,
  EMAIL_CLICKED,
  SMS_REPLIED,
  ...FATES.flatMap((fate) => [typeOfFate('email', fate), typeOfFate('sms', fate)]),
];
const OF_SERVICE: ReadonlySet<string> = new Set(TYPES_OF_MESSAGES);

export const isTrackedType = (eventType: string): boolean => OF_SERVICE.has(eventType);
