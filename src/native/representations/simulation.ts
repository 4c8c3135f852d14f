import type { CallMethod, Simulation as SimulationBody } from '../../../generated/native/types.gen.ts';
import { channelOf } from '../../domain/automations/core/definition/steps.ts';
import {
  type Effect,
  isOfStanding,
  type MessageEffect,
  type StandingEffect,
} from '../../domain/automations/core/machine/effects.ts';
import type { SimulatedRun } from '../../domain/automations/simulation/simulate-run.ts';
import type { MessageChannel } from '../../domain/messages/core/message.ts';
import { whyEnded } from '../../domain/messages/core/why-not.ts';
import { clip } from '../../domain/service-error.ts';
import { iso } from '../../domain/time/local.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { renderSkipDetail } from './finding.ts';
import { renderWhyNot } from './message.ts';
import { isoOrNull } from './run.ts';
import { renderTimelineEntry } from './timeline.ts';

type EffectBody = SimulationBody['effects'][number];

/** Characters of JSON in all effects together, beyond which their values are shortened to some. */
const [MAX_CHARACTERS, SHORTENED] = [1024 * 1024, 200];

export function renderSimulation({ simulation, profileAsOf, notes, ...sent }: SimulatedRun): SimulationBody {
  const { entry, run, timeline, effects, truncated } = simulation;
  const steps = new Map(timeline.map(({ seq, stepId }) => [seq, stepId]));
  const room = new Room();
  const shown = effects.flatMap((done) => renderEffect(done, steps, sent, room));
  const all = room.isFull ? [...notes, 'Long values of what the run does are shortened.'] : notes;
  return {
    entry: entry?.entered
      ? { entered: true, reason: null, detail: null }
      : { entered: false, reason: entry?.reason ?? null, detail: entry ? renderSkipDetail(entry.detail) : null },
    run: run
      ? {
          status: run.status,
          step_id: run.stepId,
          key: run.key,
          started_at: iso(run.startedAt),
          ended_at: isoOrNull(run.endedAt),
          reason: run.reason,
        }
      : null,
    timeline: timeline.map(renderTimelineEntry).map((one) => {
      const { version: _, ...detail } = one.detail;
      return { ...one, detail };
    }),
    effects: shown,
    truncated,
    profile_as_of: profileAsOf.toISOString(),
    notes: all,
  };
}

type Done = SimulatedRun['simulation']['effects'][number];
/** What is known of all messages of a simulation. */
type Sent = Pick<SimulatedRun, 'recipients' | 'messages' | 'contents'>;

function renderEffect(done: Done, steps: ReadonlyMap<number, string>, sent: Sent, room: Room): EffectBody[] {
  const { effect } = done;
  if (!('runId' in effect)) return [];
  const [at, step_id] = [iso(done.at), steps.get(effect.seq) ?? ''];
  if (effect.type === 'set_profile') {
    return [{ type: 'set_profile', at, step_id, set: room.fit(effect.set), unset: [...effect.unset] }];
  }
  if (effect.type === 'send_webhook') {
    return [renderWebhook(effect, { at, step_id }, room)];
  }
  if (effect.type === 'call_webhook') {
    const { type, endpointId, method, path, headers, body, expiresAt } = effect;
    const expires_at = isoOrNull(expiresAt);
    const request = { method: method as CallMethod, path, headers: { ...headers }, body: room.fitText(body) };
    return [{ type, at, step_id, endpoint_id: endpointId, ...request, expires_at }];
  }
  if (effect.type === 'send_email') {
    const { said, ...decision } = renderDecision(done, sent, channelOf(effect.type));
    const content = said && { subject: said.subject, html: said.html, text: said.text };
    return [{ ...renderMessage(effect, { at, step_id }, sent, room), type: effect.type, ...decision, content }];
  }
  if (effect.type === 'send_sms') {
    const { said, ...decision } = renderDecision(done, sent, channelOf(effect.type));
    const content = said && { text: said.text, segment_count: said.segments?.count ?? 1 };
    return [{ ...renderMessage(effect, { at, step_id }, sent, room), type: effect.type, ...decision, content }];
  }
  if (isOfStanding(effect)) return [renderStanding(effect, { at, step_id }, done)];
  const { eventType: event_type, properties } = effect;
  return [{ type: 'emit_event', at, step_id, event_type, properties: room.fit(properties) }];
}

function renderStanding(effect: StandingEffect, where: { at: string; step_id: string }, done: Done): EffectBody {
  if (!('channel' in effect)) return { type: effect.type, ...where, list: effect.listId };
  const choice = { ...where, channel: effect.channel, list: effect.listId };
  if (effect.type === 'unsubscribe') return { type: 'unsubscribe', ...choice };
  return { type: 'subscribe', ...choice, awaits_confirmation: done.awaitsConfirmation === true };
}

type SendWebhook = Extract<Effect, { type: 'send_webhook' }>;

function renderWebhook(effect: SendWebhook, where: { at: string; step_id: string }, room: Room): EffectBody {
  const { type, endpointId, messageType, data, profile, event, itemsOf, expiresAt } = effect;
  return {
    type,
    ...where,
    endpoint_id: endpointId,
    message_type: messageType,
    data: room.fit(data),
    include: [
      ...(profile ? ['profile' as const] : []),
      ...(event ? ['event' as const] : []),
      ...(itemsOf ? ['items' as const] : []),
    ],
    ...(profile && {
      profile: {
        id: profile.id,
        identifiers: { ...profile.identifiers } as Record<string, string>,
        attributes: room.fit(profile.attributes),
      },
    }),
    ...(event && {
      event: {
        id: isId(event.id) ? event.id : null,
        event_type: event.eventType,
        occurred_at: iso(event.occurredAt),
        properties: room.fit(event.properties),
      },
    }),
    expires_at: isoOrNull(expiresAt),
  };
}

function renderMessage(
  { type, stepId, templateId, context, expiresAt }: MessageEffect,
  { at, step_id }: { at: string; step_id: string },
  { recipients, messages }: Sent,
  room: Room,
) {
  const message = messages.get(stepId);
  return {
    type,
    at,
    step_id,
    template_id: templateId,
    template_name: message?.templateName ?? null,
    template_version: message?.templateVersion ?? null,
    class: message?.class ?? null,
    sender_id: message?.sender?.id ?? null,
    sender_name: message?.sender?.name ?? null,
    recipient: recipients[channelOf(type)],
    data: room.fit(context.data),
    expires_at: isoOrNull(expiresAt),
  };
}

/** Whether it is sent, and what it says; what a template requires is known once it is rendered. */
function renderDecision(done: Done, { contents }: Sent, channel: MessageChannel) {
  const content = contents.get(done);
  const failure = content && 'code' in content ? content : undefined;
  const reason = done.skipped ?? (failure?.code === 'missing_value' ? failure.code : null);
  return {
    said: content && 'text' in content ? content : null,
    skipped: reason !== null,
    reason,
    why_not: reason === null ? null : renderWhyNot(whyEnded(reason, { channel, response: failure?.message ?? null })),
    failure: failure ? clip(`${failure.code}: ${failure.message}`, SHORTENED) : null,
  };
}

/** The same large value may be in the effects of every step. */
class Room {
  #left = MAX_CHARACTERS;

  get isFull(): boolean {
    return this.#left <= 0;
  }

  fit(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#fitOne(value)]));
  }

  fitText(text: string): string {
    this.#left -= text.length;
    return this.isFull ? clip(text, SHORTENED) : text;
  }

  #fitOne(value: unknown): unknown {
    if (this.isFull) return typeof value === 'object' && value !== null ? '…' : shorten(value);
    const text = JSON.stringify(value);
    this.#left -= text.length;
    return this.isFull ? clip(text, SHORTENED) : value;
  }
}

function shorten(value: unknown): unknown {
  return typeof value === 'string' ? clip(value, SHORTENED) : value;
}
