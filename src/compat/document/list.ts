import type { List as ListResource } from '../../../generated/compat/types.gen.ts';
import type { List } from '../../domain/lists/lists.ts';
import { toMicroseconds } from './profile.ts';

/** Returns a list as the third party's clients know one: what it is called, and not who is in it. */
export function toListResource({ id, name, createdAt, updatedAt }: List, base: string): ListResource {
  return {
    type: 'list',
    id,
    attributes: { name, created: toMicroseconds(createdAt), updated: toMicroseconds(updatedAt) },
    links: { self: `${base}/lists/${id}` },
  };
}
