import type { Recipient } from './recipients.ts';
import type { NotificationInput } from './settings.ts';

/** A store that is looked at. */
export interface LookedAt extends NotificationInput {
  storeId: string;
  /** What its people call it, where it reckons, and in what its amounts are that say none. */
  storeName: string;
  zone: string;
  currency: string | null;
  recipients: readonly Recipient[];
  /** Where the service is, without a slash at its end. */
  base: string;
}
