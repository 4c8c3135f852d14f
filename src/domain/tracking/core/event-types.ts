/** Events by which others hear of opens and clicks. The service alone knows whether they happened. */
export const [EMAIL_OPENED, EMAIL_CLICKED] = ['email_opened', 'email_clicked'] as const;

const TRACKED: readonly string[] = [EMAIL_OPENED, EMAIL_CLICKED];

export const isTrackedType = (eventType: string): boolean => TRACKED.includes(eventType);
