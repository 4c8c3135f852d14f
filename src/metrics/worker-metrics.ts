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
  add(member: Worker): void {
    const line = new IpcChannel<Report>(member, () => this.#gather());
    this.#reports.set(line, []);
    member.once('exit', () => {
      const counted = (this.#reports.get(line) ?? []).filter(({ type }) => type === 'counter' || type === 'histogram');
      this.#reports.delete(line);
      this.#departed = this.#departed.then((before) => reportOf(AggregatorRegistry.aggregate([before, counted])));
    });
  }

  async #gather(): Promise<Report[]> {
    await Promise.all(
      [...this.#reports.keys()].map(async (line) => {
        const report = await line.ask(REPORT_MS);
        if (report && this.#reports.has(line)) this.#reports.set(line, report);
      }),
    );
    return [...this.#reports.values(), await this.#departed];
  }
}

/** Reports to the leader, and returns the reports of all workers. Throws if the leader does not respond. */
export function reportToLeader(report: () => Promise<Report>): () => Promise<Report[]> {
  const line = new IpcChannel<Report[]>(process, report);
  return async () => {
    const reports = await line.ask(GATHER_MS);
    if (!reports) throw new ServiceError('upstream_error', 'The other processes could not be asked; try again');
    return reports;
  };
}
