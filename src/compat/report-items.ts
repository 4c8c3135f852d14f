import { invalid, ServiceError, type Violation } from '../domain/service-error.ts';
import { toResourcePath } from './document/profile.ts';
import { PROFILES } from './document/subscriptions.ts';

/**
 * Awaits some work on profiles; a violation that begins with the index of one is reported where the document has it, by
 * default among the profiles of a job.
 */
export async function reportItems<T>(work: Promise<T>, placeOf = placeInJob): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.violations.length === 0) throw error;
    const [first, ...others] = error.violations.map(({ path: [index, ...path], problem }): Violation => {
      return { path: [...placeOf(index as number), ...toResourcePath(path)], problem };
    });
    throw invalid(first as Violation, ...others);
  }
}

function placeInJob(index: number): Violation['path'] {
  return [...PROFILES, index];
}
