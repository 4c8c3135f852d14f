import { List, Stack, Text } from '@mantine/core';
import type { CallWebhookEffect, Effect, SendWebhookEffect, UnknownEffect } from '../../../../client/index.ts';
import { Json } from '../../../components/copyable-code.tsx';
import { Time } from '../../../components/time.tsx';
import { wordsOf } from '../../../components/words-of.ts';
import { valueWords } from '../../../conditions/sentence.ts';
import { type AutomationStep, known } from '../../../definitions.ts';
import { EndpointName } from '../../webhooks/endpoint-name.tsx';
import { Named } from '../words/named.tsx';
import { stepWords } from '../words/steps.ts';
import { NotAfter } from './not-after.tsx';
import { type Templated, TemplateMessage } from './templated.tsx';

/** What a simulated run would do, and the requests that it would send. */
export function Effects({ effects }: { effects: readonly (Effect | UnknownEffect)[] }) {
  const sends = effects.some(isMessage);
  return (
    <>
      <List size="sm" aria-label="Effects" styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}>
        {effects.map((effect, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step can do the same twice at one time
          <List.Item key={n} style={{ overflowWrap: 'anywhere' }}>
            <Time value={effect.at} />: {contentOf(effect)}
          </List.Item>
        ))}
      </List>
      {sends && (
        <Text size="xs" c="dimmed">
          Messages that are really sent name the automation and the run, too.
        </Text>
      )}
    </>
  );
}

function Message({ effect }: { effect: SendWebhookEffect }) {
  const { at, message_type, endpoint_id, data, profile, event, expires_at } = effect;
  return (
    <Stack gap={4} component="span">
      <span>
        send {message_type} to <EndpointName id={endpoint_id} />
      </span>
      <Json
        value={{ type: message_type, timestamp: at, data, ...(profile && { profile }), ...(event && { event }) }}
        label={`Body of ${message_type}`}
      />
      {expires_at && <NotAfter time={expires_at} />}
    </Stack>
  );
}

function Call({ effect: { method, path, endpoint_id, headers, body, expires_at } }: { effect: CallWebhookEffect }) {
  return (
    <Stack gap={4} component="span">
      <span>
        {method} {path ?? ''} to <EndpointName id={endpoint_id} />
      </span>
      <Json value={{ headers, body }} label={`Request of ${method} ${path ?? ''}`} />
      {expires_at && <NotAfter time={expires_at} />}
    </Stack>
  );
}

function contentOf(effect: Effect | UnknownEffect) {
  if (isCall(effect)) return <Call effect={effect} />;
  if (isMessage(effect)) return <Message effect={effect} />;
  return isTemplated(effect) ? <TemplateMessage effect={effect} /> : <Named>{effectWords(effect)}</Named>;
}

const isTemplated = (effect: Effect | UnknownEffect): effect is Templated =>
  effect.type === 'send_email' || effect.type === 'send_sms';
const isMessage = (effect: Effect | UnknownEffect): effect is SendWebhookEffect => effect.type === 'send_webhook';
const isCall = (effect: Effect | UnknownEffect): effect is CallWebhookEffect => effect.type === 'call_webhook';

function effectWords(read: Effect | UnknownEffect): string {
  const effect = read as Exclude<Effect, SendWebhookEffect | CallWebhookEffect | Templated>;
  const values = (of: object) =>
    Object.entries(of)
      .map(([name, value]) => `${name} ${valueWords(value)}`)
      .join(', ');
  if (effect.type === 'emit_event') return `record ${effect.event_type} ${values(effect.properties)}`;
  if (isOfStanding(effect)) return standingWords(effect);
  if (effect.type !== 'set_profile') return wordsOf({}, (read as UnknownEffect).type);
  const unset = effect.unset.length > 0 ? [`remove ${effect.unset.join(', ')}`] : [];
  return [values(effect.set), ...unset].filter(Boolean).join(', ');
}

type OfStanding = Extract<Effect, { type: 'add_to_list' | 'remove_from_list' | 'subscribe' | 'unsubscribe' }>;

const isOfStanding = (effect: Effect): effect is OfStanding =>
  ['add_to_list', 'remove_from_list', 'subscribe', 'unsubscribe'].includes(effect.type);

/** In the words of the step that does it. */
function standingWords({ at: _, step_id: id, ...effect }: OfStanding): string {
  const { list, ...rest } = effect;
  const step = { ...rest, id, next: null, ...(list !== null && { list }) };
  const words = stepWords(known(step as AutomationStep)).replace(/^./, (first) => first.toLowerCase());
  return 'awaits_confirmation' in effect && effect.awaits_confirmation ? `ask to confirm: ${words}` : words;
}
