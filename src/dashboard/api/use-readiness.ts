import { useQuery } from '@tanstack/react-query';

export interface Readiness {
  status: string;
  database: string;
  redis: string;
  jobs: string;
}

/** Whether the service can serve, asked again every so often. */
export function useReadiness(everyMs: number) {
  return useQuery({ queryKey: ['readiness'], queryFn: readReadiness, refetchInterval: everyMs });
}

/** It says so also with a 503. */
async function readReadiness({ signal }: { signal: AbortSignal }): Promise<Readiness> {
  const response = await fetch('/health/ready', { signal });
  return response.json();
}
