import { sql } from 'kysely';
import { maxJsonbBytes } from '../../../db/json-size.ts';
import { beside, byProfile, byProfileWithin, nameOf, plain, type Section, timeOf, times } from '../section.ts';

const AUTOMATION = { ...plain('automation_id'), automation_name: nameOf('automation', 'automation_id') };

export const RUNS: Section = {
  name: 'automation_runs',
  columns: {
    ...plain('id'),
    ...AUTOMATION,
    ...plain('version', 'key', 'status', 'reason', 'step_id'),
    ...times('started_at', 'ended_at', 'due_at'),
    ...plain('origin', 'captured', 'waiting', 'coupon', 'results'),
  },
  key: { id: 'uuid' },
  rows: byProfile('automation_run'),
  bytes: sql`${maxJsonbBytes('captured')} + ${maxJsonbBytes('results')}`,
};

export const STEPS: Section = {
  name: 'automation_steps',
  columns: { ...plain('run_id', 'seq', 'step_id'), ...times('at'), ...plain('outcome', 'detail') },
  key: { run_id: 'uuid', seq: 'int4' },
  rows: beside('automation_step', 'run_id', 'automation_run'),
  bytes: maxJsonbBytes('detail'),
};

export const ENROLMENTS: Section = {
  name: 'automation_entries',
  columns: { ...AUTOMATION, ...plain('key'), ...times('last_started_at'), ...plain('starts') },
  key: { automation_id: 'uuid', key: 'text' },
  rows: byProfileWithin('automation_enrolment', 'automation_id', 'automation'),
};

export const SKIPS: Section = {
  name: 'automation_skips',
  columns: { ...AUTOMATION, ...plain('trigger_id', 'reason', 'detail'), ...times('skipped_at') },
  key: { automation_id: 'uuid', skipped_at: 'timestamptz', trigger_id: 'text' },
  rows: byProfileWithin('automation_skip', 'automation_id', 'automation'),
  bytes: maxJsonbBytes('detail'),
};

export const DATES: Section = {
  name: 'automation_dates',
  columns: { ...AUTOMATION, ...plain('day'), ...times('due_at') },
  key: { automation_id: 'uuid' },
  rows: byProfileWithin('automation_date', 'automation_id', 'automation'),
};

/** What was sent to endpoints, and what came of each attempt: a few, as they end in time. */
export const DELIVERIES: Section = {
  name: 'webhook_deliveries',
  columns: {
    ...plain('id', 'run_id', 'endpoint_id'),
    endpoint_name: nameOf('webhook_endpoint', 'endpoint_id'),
    ...plain('message_type', 'status'),
    ...times('created_at', 'finished_at'),
    body: sql`to_json(convert_from(r.body, 'UTF8'))`,
    ...plain('request'),
    attempts: sql`(
      select json_agg(json_build_object('number', a.number, 'at', ${timeOf(sql`a.at`)}, 'status', a.status,
        'error', a.error, 'excerpt', a.excerpt) order by a.number)
      from webhook_attempt a where a.store_id = r.store_id and a.delivery_id = r.id)`,
  },
  key: { run_id: 'uuid', seq: 'int4' },
  rows: beside('webhook_delivery', 'run_id', 'automation_run'),
  bytes: sql`octet_length(body) + ${maxJsonbBytes('request')}`,
};
