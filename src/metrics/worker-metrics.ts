import type { Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { ServiceError } from '../domain/service-error.ts';
import { IpcChannel } from './ipc-channel.ts';
import { type Report, reportOf } from './report.ts';

/** Milliseconds that a process has to report; one that is busy for longer stands with what it said before. */
const REPORT_MS = 1_000;
/** Milliseconds for the reports of all. */
const GATHER_MS = 3_000;

/** What a leader knows of its members: whichever of them asks gets the reports of all. */
export class WorkerMetrics {
  /** The last report of each. */
  readonly #reports = new Map<IpcChannel<Report>, Report>();
  /** What those that have ended had counted: a sum over all processes must never fall. */
  #departed: Promise<Report> = Promise.resolve([]);

  /** Takes a member in, from when it serves to its end. */
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

/** Reports to the leader of this process, and gets from it the reports of all; throws where it does not answer. */
export function reportToLeader(report: () => Promise<Report>): () => Promise<Report[]> {
  const line = new IpcChannel<Report[]>(process, report);
  return async () => {
    const reports = await line.ask(GATHER_MS);
    if (!reports) throw new ServiceError('upstream_error', 'The other processes did not respond; try again');
    return reports;
  };
}
