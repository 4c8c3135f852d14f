import type { Registry } from 'prom-client';

/** Metrics as plain data, such as another process can be told. */
export type Report = readonly { name: string; type: string }[];

export async function reportOf(...registries: Registry[]): Promise<Report> {
  const reports = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  // The library declares `type` as a number, and gives its name.
  return reports.flat() as unknown as Report;
}
