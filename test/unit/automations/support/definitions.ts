import type { Definition, QuietHours } from '../../../../src/domain/automations/core/definition/definition.ts';
import type { SendEmailStep, SendWebhookStep, Step } from '../../../../src/domain/automations/core/definition/steps.ts';

/** An automation that is started by `started`, and has the steps given, or else ends at once. */
export function automation(parts: Partial<Definition> = {}): Definition {
  const steps: readonly Step[] = parts.steps ?? [{ id: 'end', type: 'exit' }];
  return {
    name: 'Test',
    trigger: { type: 'event', event_type: 'started' },
    start: (steps[0] as Step).id,
    ...parts,
    steps,
  };
}

/** Steps one after the other. */
export function chain(...steps: readonly Record<string, unknown>[]): Step[] {
  return steps.map((step, i) => ({ next: steps[i + 1]?.id ?? null, ...step })) as unknown as Step[];
}

export const delay = (id: string, duration: string) => ({ id, type: 'delay', for: duration });
export const mark = (id: string) => ({ id, type: 'set_profile', set: { [id]: true } });
export const emit = (id: string, eventType: string) => ({ id, type: 'emit_event', event_type: eventType });
export const message = (id: string, more: Partial<SendWebhookStep> = {}) => ({
  id,
  type: 'send_webhook',
  endpoint_id: '01a1f84a-0000-7000-8000-000000000001',
  message_type: id,
  ...more,
});

export const email = (id: string, more: Partial<SendEmailStep> = {}) => ({
  id,
  type: 'send_email',
  template_id: '01a1f852-c410-7e05-8b27-3d6fa91c5e42',
  template_version: 3,
  ...more,
});

export function wait(id: string, eventType: string, more: Record<string, unknown> = {}) {
  return { id, type: 'wait', for: [{ event_type: eventType, next: null }], timeout: 'P1D', on_timeout: null, ...more };
}

/** Quiet hours in the night. */
export function nightly(rule: QuietHours['then']): QuietHours {
  // biome-ignore lint/suspicious/noThenProperty: it is the contract's name, and no function.
  return { from: '21:00', to: '08:00', then: rule };
}

/** The definitions of the documentation: an abandoned cart, and two small ones. */
export const ABANDONED_CART = JSON.parse(`
{ "name": "Abandoned cart",
  "trigger": { "type": "event", "event_type": "started_checkout", "max_age": "P1D",
    "filter": { "all": [ { "property": "value", "op": "gte", "value": 20 }, { "property": ["cart", "kind"], "op": "neq", "value": "test" } ] } },
  "key": { "property": "cart_id" },
  "entry_condition": { "identifier": "email", "op": "exists" },
  "reentry": { "mode": "restart", "per": "key", "min_interval": null },
  "exit_on": [ { "event_type": "placed_order", "match_key": { "property": "cart_id" } } ],
  "exit_when": { "attribute": "unsubscribed", "op": "eq", "value": true },
  "time_zone": { "attribute": "time_zone", "default": "Europe/Berlin" },
  "quiet_hours": { "from": "21:00", "to": "08:00", "then": "wait" },
  "start": "hour",
  "steps": [
    { "id": "hour", "type": "delay", "for": "PT1H", "next": "vip" },
    { "id": "vip", "type": "branch", "cases": [
        { "when": { "any": [ { "attribute": "tier", "op": "in", "value": ["gold", "platinum"] },
            { "did": { "event_type": "placed_order", "at_least": 3, "within": "P365D" } } ] }, "next": "gift" } ], "else": "remind" },
    { "id": "gift", "type": "set_profile", "set": { "cart_gift": true }, "next": "remind" },
    { "id": "remind", "type": "send_webhook", "endpoint_id": "01a1f84a-0000-7000-8000-000000000001", "message_type": "cart.abandoned",
      "data": { "cart": { "from": "event.properties.cart_id" }, "total": { "from": "event.properties.value" }, "first_name": { "from": "profile.attributes.first_name" } },
      "include": ["profile"], "expires_after": "PT12H", "await": false, "on_failure": "continue", "next": "bought" },
    { "id": "bought", "type": "wait", "for": [ { "event_type": "refunded", "match_key": { "property": "cart_id" }, "next": "end" },
        { "when": { "attribute": "tier", "op": "eq", "value": "gold" }, "next": "end" } ],
      "since": "trigger", "timeout": "P3D", "on_timeout": "lost" },
    { "id": "lost", "type": "emit_event", "event_type": "cart_lost", "properties": { "cart_id": { "from": "event.properties.cart_id" } }, "next": "end" },
    { "id": "end", "type": "exit", "reason": "done" } ] }`) as Definition;

export const BECAME_GOLD = JSON.parse(`
{ "name": "Became gold", "trigger": { "type": "profile_change", "attribute": "tier", "from": { "op": "neq", "value": "gold" }, "to": { "op": "eq", "value": "gold" } },
  "reentry": { "mode": "one_at_a_time", "per": "profile", "min_interval": "P30D" }, "start": "half",
  "steps": [ { "id": "half", "type": "split", "weights": [ { "percent": 90, "next": "tag" }, { "percent": 10, "next": null } ] },
             { "id": "tag", "type": "set_profile", "set": { "welcomed_gold": true }, "unset": ["tier_hint"], "next": null } ] }`) as Definition;

export const BIRTHDAY = JSON.parse(`
{ "name": "Birthday", "trigger": { "type": "date", "attribute": "birthday", "repeat": "yearly", "offset": "-P7D", "at": "09:00" },
  "reentry": { "mode": "one_at_a_time", "per": "profile", "min_interval": "P300D" }, "start": "until",
  "steps": [ { "id": "until", "type": "delay", "until": { "at": "10:00", "weekdays": ["mon", "tue", "wed", "thu", "fri"] }, "next": null } ] }`) as Definition;
