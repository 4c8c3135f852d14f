import { invalid, ServiceError } from '../../domain/service-error.ts';

/**
 * Returns the cursor in a `page[cursor]`: the third party's clients send the cursor alone, a part of the link around
 * it, or the whole link.
 */
export function readPageCursor(text: string): string {
  const query = URL.canParse(text) ? new URL(text).search : `page[cursor]=${text.replace(/^=/, '')}`;
  return new URLSearchParams(query).get('page[cursor]') ?? text;
}

/** Awaits some reading; a cursor that it refuses is reported under the name of the parameter. */
export async function reportCursor<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const violation = error instanceof ServiceError ? error.violations[0] : undefined;
    if (violation?.path[0] !== 'cursor') throw error;
    throw invalid({ path: ['page[cursor]'], problem: violation.problem });
  }
}
