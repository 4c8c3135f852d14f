import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { ServiceError } from '../domain/service-error.ts';
import { IpcChannel } from './ipc-channel.ts';
import { type Report, reportOf } from './report.ts';

/** Milliseconds for a process to report; a busier one is represented by its previous report. */
const REPORT_MS = 1_000;
/** Milliseconds for the reports of all processes. */
const GATHER_MS = 3_000;

/** The leader's side of the metrics: any worker that asks gets the reports of all. */
export class WorkerMetrics {
  /** The latest report of each worker. */
  readonly #reports = new Map<IpcChannel<Report>, Report>();
  /** Sum of the counters of workers that have exited: a sum over all processes must never fall. */
  #departed: Promise<Report> = Promise.resolve([]);

  /** Adds a worker, until it exits. */
  add(worker: Worker): void {
    const channel = new IpcChannel<Report>(worker, () => this.#gather());
    this.#reports.set(channel, []);
    worker.once('exit', () => {
      const counted = (this.#reports.get(channel) ?? []).filter(
        ({ type }) => type === 'counter' || type === 'histogram',
      );
      this.#reports.delete(channel);
      this.#departed = this.#departed.then((before) => reportOf(AggregatorRegistry.aggregate([before, counted])));
    });
  }

  async #gather(): Promise<Report[]> {
    await Promise.all(
      [...this.#reports.keys()].map(async (channel) => {
        const report = await channel.ask(REPORT_MS);
        if (report && this.#reports.has(channel)) this.#reports.set(channel, report);
      }),
    );
    return [...this.#reports.values(), await this.#departed];
  }
}

/** Reports to the leader, and returns the reports of all workers. Throws if the leader does not respond. */
export function reportToLeader(report: () => Promise<Report>): () => Promise<Report[]> {
  const channel = new IpcChannel<Report[]>(process, report);
  return async () => {
    const reports = await channel.ask(GATHER_MS);
    if (!reports) throw new ServiceError('upstream_error', 'The other processes did not respond; try again');
    return reports;
  };
}
