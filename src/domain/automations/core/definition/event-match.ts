import type { Name } from '../../../conditions/comparison.ts';
import type { Condition } from '../../../conditions/condition.ts';

/** The types of event that are about a message. */
export const MESSAGE_EVENTS: readonly string[] = ['email_opened', 'email_clicked'];

/** Events of a type, in a run with a key perhaps only those with the same. */
export interface EventMatch {
  event_type: string;
  match_key?: { property: Name };
  /** Of the properties of this event. */
  filter?: Condition;
  /** Also those that pages and apps sent with a public key. */
  from_client?: boolean;
  /** Only what is about the message that this step of the run has sent. */
  of_step?: string;
}
