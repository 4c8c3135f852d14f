import type { AutomationStep } from '../../../definitions.ts';

type Type = AutomationStep['type'];

/** What a step does when it is new; where it leads is told by its place. */
export function newStep(type: Type, id: string): AutomationStep {
  switch (type) {
    case 'delay':
      return { id, type, for: 'PT1H', next: null };
    case 'wait':
      return { id, type, for: [{ event_type: 'placed_order', next: null }], timeout: 'P1D', on_timeout: null };
    case 'branch':
      return { id, type, cases: [{ when: { identifier: 'email', op: 'exists' }, next: null }], else: null };
    case 'split':
      return {
        id,
        type,
        weights: [
          { percent: 50, next: null },
          { percent: 50, next: null },
        ],
      };
    case 'set_profile':
      return { id, type, set: {}, next: null };
    case 'emit_event':
      return { id, type, event_type: 'something_due', next: null };
    case 'send_webhook':
      return { id, type, endpoint_id: '', message_type: 'something.due', next: null };
    case 'call_webhook':
      return { id, type, endpoint_id: '', next: null };
    case 'send_email':
    case 'send_sms':
      return { id, type, template_id: '', next: null };
    case 'assign_coupon':
      return { id, type, pool_id: '', next: null };
    case 'add_to_list':
    case 'remove_from_list':
      return { id, type, list: '', next: null };
    case 'subscribe':
    case 'unsubscribe':
      return { id, type, channel: 'email', next: null };
    case 'exit':
      return { id, type };
  }
}

/** What the id of a new step begins with. */
export const ID_WISHES: Readonly<Record<Type, string>> = {
  delay: 'delay',
  wait: 'wait',
  branch: 'branch',
  split: 'split',
  set_profile: 'change',
  emit_event: 'record',
  send_webhook: 'send',
  call_webhook: 'call',
  send_email: 'mail',
  send_sms: 'text',
  assign_coupon: 'coupon',
  add_to_list: 'add',
  remove_from_list: 'remove',
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
  exit: 'exit',
};
