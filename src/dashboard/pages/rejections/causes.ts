import type { Rejection } from '../../../client/index.ts';

/** Requests that were refused for the same reason. */
export interface Cause {
  /** Tells it from every other; without spaces, as those of elements have to be. */
  id: string;
  /** The last of them, which stands for all. */
  last: Rejection;
  /** Newest first. */
  rejections: Rejection[];
  /** The field, with `[…]` where it goes through a list. */
  field: string | null;
  /** Names of the keys that they came with. */
  keys: string[];
}

/** Whether the request was at fault, and not the service, which is the operator's to mend. */
export function isRefusal({ status }: Pick<Rejection, 'status'>): boolean {
  return status < 500;
}

/** Refused requests, newest first, by what was wrong with them: the cause that came up last comes first. */
export function groupByCause(rejections: readonly Rejection[]): Cause[] {
  const groups = Map.groupBy(rejections, idOf);
  return [...groups].map(([id, group]) => {
    const last = group[0] as Rejection;
    const keys = [...new Set(group.map(({ key }) => key.name))];
    return { id, last, rejections: group, field: last.field && withoutPositions(last.field), keys };
  });
}

/** The third item of one batch and the fifth of another have the same cause. */
function idOf({ operation, code, field, message }: Rejection): string {
  const parts = [operation, code, field && withoutPositions(field), withoutPositions(message)];
  return encodeURIComponent(JSON.stringify(parts));
}

function withoutPositions(text: string): string {
  return text.replaceAll(/\[\d+\]/g, '[…]').replaceAll(/\/\d+(?=\/|$)/g, '/…');
}
