import type { Registry } from 'prom-client';

/** Metrics as plain data, which can be sent to another process. */
export type Report = readonly { name: string; type: string }[];

export async function reportOf(...registries: Registry[]): Promise<Report> {
  const reports = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  // The library declares `type` as a number but returns its name.
  return reports.flat() as unknown as Report;
}
