import { toText } from '../../../../templates/core/values.ts';
import { durationMs } from '../../../../time/duration.ts';
import type { CallBody, CallWebhookStep } from '../../definition/steps.ts';
import type { Effect } from '../effects.ts';
import { goTo } from '../position.ts';
import { withAnswer } from '../results.ts';
import type { Run } from '../run.ts';
import { StepFailed } from '../step-failed.ts';
import { Filling } from '../templates.ts';
import type { Work } from '../work.ts';
import { exitBeforeAction } from './before-action.ts';
import { skipByCaps } from './count.ts';
import { keepQuiet } from './quiet-hours.ts';

/** Characters of a path as it is sent, and of a header. */
const [MAX_PATH, MAX_HEADER] = [8_000, 4_000];
/** The `message_type` of what is sent so. */
export const CALL_TYPE = 'webhook.call';

export function callWebhook(work: Work, run: Run, step: CallWebhookStep): Run {
  const ended = exitBeforeAction(work, run) ?? (step.quiet_hours ? keepQuiet(work, run, step) : undefined);
  if (ended) return ended;
  const { endpoint_id: endpointId, method = 'POST', path, headers = {}, body, signed = true, expires_after } = step;
  const filling = new Filling(work, run);
  const effect: Effect = {
    type: 'call_webhook',
    runId: run.id,
    seq: run.seq + 1,
    stepId: step.id,
    endpointId,
    method,
    path: path === undefined ? null : pathOf(filling.text(path, '_component')),
    headers: {
      ...(body && { 'content-type': body.content_type ?? typeOf(body) }),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name.toLowerCase(), header(filling.text(text))]),
      ),
    },
    body: body ? bodyOf(body, filling) : '',
    isSigned: signed,
    expiresAt: expires_after === undefined ? null : work.now + durationMs(expires_after),
  };
  const skipped = skipByCaps(work, run, step);
  if (skipped) return skipped;
  work.effect(effect);
  const decision = { outcome: 'delivery_queued', endpointId, messageType: CALL_TYPE } as const;
  if (step.await === false) return goTo(work, run, step.next, decision);
  const waiting = { for: 'delivery', since: work.now, seq: run.seq + 1 } as const;
  return work.record(run, decision, { dueAt: null, attempts: 0, waiting });
}

/** As it is sent, whatever the values are: it stays at the host, and no value leads to another place of it. */
function pathOf(text: string): string {
  const isUsable =
    text.startsWith('/') && !/[\p{Cc}\\#]/u.test(text) && !/(?:^|\/)(?:\.|%2e){1,2}(?:[/?]|$)/i.test(text);
  const url = isUsable ? URL.parse(`http://host${text}`) : null;
  if (url?.host !== 'host') throw new StepFailed('invalid_path');
  const path = url.pathname + url.search;
  if (path.length > MAX_PATH) throw new StepFailed('invalid_path');
  return path;
}

/** On one line. Other scripts go as the bytes of UTF-8. */
function header(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  if (line.length > MAX_HEADER) throw new StepFailed('invalid_header');
  return Buffer.from(line.toWellFormed(), 'utf8').toString('latin1');
}

function typeOf(body: CallBody): string {
  if ('json' in body) return 'application/json';
  return 'form' in body ? 'application/x-www-form-urlencoded' : 'text/plain; charset=utf-8';
}

/** Media types in which values are escaped. */
const MARKUP = /[/+](?:xml|html)\b/i;

function bodyOf(body: CallBody, filling: Filling): string {
  if ('text' in body) return filling.text(body.text, MARKUP.test(body.content_type ?? '') ? '_html' : '_text');
  if ('json' in body) return JSON.stringify(filling.values(body.json));
  const fields = Object.entries(filling.values(body.form)).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((one) => [name, toText(one)]) : value === null ? [] : [[name, toText(value)]],
  );
  return new URLSearchParams(fields).toString();
}

interface CallResult {
  result: 'delivered' | 'failed' | 'expired';
  /** Of the last answer; null or absent where there was none. */
  status?: number | null | undefined;
  answer?: unknown;
}

/** What a run is told of its call moves it on if it waits for that, with the answer. Also while the automation is paused. */
export function goOnAfterCall(work: Work, run: Run, step: CallWebhookStep, told: CallResult): Run {
  const { result, status = null, answer } = told;
  const { definition } = work.versionOf(run);
  const change = { results: withAnswer(run, definition, { status, answer }) };
  if (result === 'delivered') return goTo(work, run, step.next, { outcome: 'delivered', status }, change);
  const isEnd = step.on_failure === 'exit';
  const next = isEnd ? null : step.next;
  const decision = { outcome: 'delivery_failed', result, status, next } as const;
  if (!isEnd) return goTo(work, run, next, decision, change);
  return work.end(work.record(run, decision, change), 'delivery_failed');
}
