import type { List as ListResource } from '../../../generated/compat/types.gen.ts';
import type { List } from '../../domain/lists/lists.ts';
import { toMicroseconds } from './profile.ts';

/** Returns a list as the third party's clients know one: what it is called, and not who is in it. */
export function toListResource(list: List, base: string): ListResource {
  const { id, name, isDoubleOptIn, createdAt, updatedAt } = list;
  return {
    type: 'list',
    id,
    attributes: {
      name,
      created: toMicroseconds(createdAt),
      updated: toMicroseconds(updatedAt),
      opt_in_process: isDoubleOptIn ? 'double_opt_in' : 'single_opt_in',
    },
    links: { self: `${base}/lists/${id}` },
  };
}
