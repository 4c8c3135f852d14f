import { Counter, Histogram, Registry } from 'prom-client';
import { type ObserveFeeds, RUN_OUTCOMES } from '../domain/catalog/feeds/run-feed.ts';
import type { Processed } from '../domain/imports/turn.ts';
import type { Observe as ObserveMessages } from '../domain/messages/sending/observed.ts';
import { CAUSES } from '../domain/segments/engine/origin.ts';
import type { SegmentWork } from '../domain/segments/engine/work.ts';
import { ERROR_CODES, type ErrorCode } from '../domain/service-error.ts';
import { ATTEMPT_OUTCOMES, DELIVERY_OUTCOMES, type Observe } from '../domain/webhooks/sending/observed.ts';
import type { BatchObserver } from '../domain/write/group-commit.ts';

/** Seconds; no request may take longer than 5. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Seconds; no attempt may take longer than 15. */
const ATTEMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Seconds; a store of a million customers may take a minute. */
const BUILD_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const BATCH_ITEMS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000];

/** A request and how it was responded to. */
export interface CompletedRequest {
  /** Undefined if it was refused before its operation was known, or matched none. */
  operation: string | undefined;
  status: number;
  /** Undefined for a response without an error. */
  code: ErrorCode | undefined;
  /** The tier of its key; undefined without a valid key. */
  tier: string | undefined;
  seconds: number;
}

/**
 * Metrics of this process's own work. Labels come from the code, the specs and the configuration, never from a request,
 * so that there are few. A request costs less than half a microsecond here.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #tiers: ReadonlyMap<string, number>;

  readonly #requests = new Counter({
    name: 'footfall_requests_total',
    help: 'Requests served; the operation is "none" if it is unknown or not part of the API',
    labelNames: ['operation', 'status'],
    registers: [this.registry],
  });
  readonly #requestSeconds = new Histogram({
    name: 'footfall_request_duration_seconds',
    help: 'Time from the headers of a request to its response',
    labelNames: ['operation'],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  readonly #errors = new Counter({
    name: 'footfall_errors_total',
    help: 'Requests that returned an error, by its code',
    labelNames: ['code'],
    registers: [this.registry],
  });
  readonly #refusals = new Counter({
    name: 'footfall_rate_limit_refusals_total',
    help: 'Requests over the limit of their tier; "no_key" means without a valid key',
    labelNames: ['tier'],
    registers: [this.registry],
  });
  readonly #batchItems = new Histogram({
    name: 'footfall_ingest_batch_items',
    help: 'Events and profiles written in one transaction: single requests together, a bulk request, a chunk of a job',
    labelNames: ['source'],
    buckets: BATCH_ITEMS,
    registers: [this.registry],
  });
  readonly #batchSeconds = new Histogram({
    name: 'footfall_ingest_batch_duration_seconds',
    help: 'Time to write such a batch',
    labelNames: ['source'],
    buckets: BATCH_SECONDS,
    registers: [this.registry],
  });

  readonly #failedRuns = new Counter({
    name: 'footfall_automation_runs_failed_total',
    help: 'Runs of automations that have failed for good',
    registers: [this.registry],
  });

  readonly #cutRuns = new Counter({
    name: 'footfall_automation_runs_cut_total',
    help: 'Runs of automations that ended or did not start, as too much had followed from one event',
    registers: [this.registry],
  });

  readonly #evaluated = new Counter({
    name: 'footfall_segment_profiles_evaluated_total',
    help: 'Customers whom segments have looked at',
    registers: [this.registry],
  });
  readonly #moves = new Counter({
    name: 'footfall_segment_changes_total',
    help: 'How often somebody has entered or left a segment, by the cause',
    labelNames: ['cause'],
    registers: [this.registry],
  });
  readonly #buildSeconds = new Histogram({
    name: 'footfall_segment_build_duration_seconds',
    help: 'Time from the request to build a segment until its members serve',
    buckets: BUILD_SECONDS,
    registers: [this.registry],
  });
  readonly #drift = new Counter({
    name: 'footfall_segment_drift_total',
    help: 'Memberships of segments that the nightly comparison has found wrong',
    registers: [this.registry],
  });

  readonly #messages = new Counter({
    name: 'footfall_messages_total',
    help: 'Messages for which nothing more is to be done, by what became of them; those that are tried again are "waiting"',
    labelNames: ['status'],
    registers: [this.registry],
  });

  readonly #lostHits = new Counter({
    name: 'footfall_message_hits_lost_total',
    help: 'Opens and clicks of messages that could not be recorded, as the database was away for long or there were too many',
    registers: [this.registry],
  });

  readonly #feedRuns = new Counter({
    name: 'footfall_catalog_feed_runs_total',
    help: 'Runs of catalog feeds that have ended, by how',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #itemsHidden = new Counter({
    name: 'footfall_catalog_items_hidden_total',
    help: 'Items that feeds have hidden, as they were no longer in their files',
    registers: [this.registry],
  });

  readonly #deliveries = new Counter({
    name: 'footfall_webhook_deliveries_total',
    help: 'Webhook deliveries for which nothing more is to be done, by what became of them',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #attemptSeconds = new Histogram({
    name: 'footfall_webhook_attempt_duration_seconds',
    help: 'Time of an attempt to send a webhook; "refused" means another answer than a 2xx',
    labelNames: ['outcome'],
    buckets: ATTEMPT_SECONDS,
    registers: [this.registry],
  });

  /** `tiers` are the configured ones: a key of any other counts as `standard`. */
  constructor(tiers: ReadonlyMap<string, number>) {
    this.#tiers = tiers;
    // Start at zero, so that the first error shows as an increase.
    for (const code of ERROR_CODES) this.#errors.inc({ code }, 0);
    for (const tier of [...tiers.keys(), 'no_key']) this.#refusals.inc({ tier }, 0);
    for (const outcome of DELIVERY_OUTCOMES) this.#deliveries.inc({ outcome }, 0);
    for (const outcome of RUN_OUTCOMES) this.#feedRuns.inc({ outcome }, 0);
    for (const cause of CAUSES) this.#moves.inc({ cause }, 0);
    for (const outcome of ATTEMPT_OUTCOMES) this.#attemptSeconds.zero({ outcome });
  }

  request({ operation = 'none', status, code, tier, seconds }: CompletedRequest): void {
    this.#requests.inc({ operation, status });
    this.#requestSeconds.observe({ operation }, seconds);
    if (code) this.#errors.inc({ code });
    if (code === 'rate_limit_exceeded') this.#refusals.inc({ tier: this.#labelOf(tier) });
  }

  readonly batch: BatchObserver = (source, items, seconds) => {
    this.#batchItems.observe({ source }, items);
    this.#batchSeconds.observe({ source }, seconds);
  };

  readonly imported = ({ items, seconds }: Processed): void => this.batch('import', items, seconds);

  readonly runsLost = ({ why, runs }: { why: 'failed' | 'cut'; runs: number }): void => {
    (why === 'failed' ? this.#failedRuns : this.#cutRuns).inc(runs);
  };

  readonly segments = ({ evaluated, moves, buildSeconds, drift }: SegmentWork): void => {
    this.#evaluated.inc(evaluated);
    for (const [cause, count] of Object.entries(moves)) this.#moves.inc({ cause }, count);
    for (const seconds of buildSeconds) this.#buildSeconds.observe(seconds);
    this.#drift.inc(drift);
  };

  readonly messages: ObserveMessages = (outcomes) => {
    for (const { status } of outcomes) this.#messages.inc({ status });
  };

  readonly hitLost = (): void => this.#lostHits.inc();

  readonly feeds: ObserveFeeds = ({ outcome, hidden }) => {
    this.#feedRuns.inc({ outcome });
    this.#itemsHidden.inc(hidden);
  };

  readonly webhooks: Observe = ({ attempts, outcomes }) => {
    for (const { outcome, seconds } of attempts) this.#attemptSeconds.observe({ outcome }, seconds);
    for (const outcome of outcomes) this.#deliveries.inc({ outcome });
  };

  #labelOf(tier: string | undefined): string {
    if (tier === undefined) return 'no_key';
    return this.#tiers.has(tier) ? tier : 'standard';
  }
}
