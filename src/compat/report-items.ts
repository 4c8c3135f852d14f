import { invalid, ServiceError, type Violation } from '../domain/service-error.ts';
import { toResourcePath } from './document/profile.ts';
import { PROFILES } from './document/subscriptions.ts';

/** Awaits some work on the profiles of a job; a violation that begins with an index is reported at that item. */
export async function reportItems<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.violations.length === 0) throw error;
    const [first, ...others] = error.violations.map(({ path: [index, ...path], problem }): Violation => {
      return { path: [...PROFILES, index as number, ...toResourcePath(path)], problem };
    });
    throw invalid(first as Violation, ...others);
  }
}
