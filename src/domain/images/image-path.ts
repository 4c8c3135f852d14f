import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { EXTENSIONS } from './image-format.ts';
import type { Image } from './images.ts';

/** Where images are served. */
export const IMAGES_PREFIX = '/m/i/';

/**
 * Returns the path of an image, which names no store and which only those know who were told: what the images of the store
 * are under, and the hash.
 */
export function pathOfImage({ hash, type }: Pick<Image, 'hash' | 'type'>, token: string): string {
  return `${IMAGES_PREFIX}${token}/${hash.toString('base64url')}.${EXTENSIONS[type]}`;
}

/** Returns what the images of a store are under; null as long as it has none. `shared` is where stores are. */
export async function findImageToken(shared: Sql, storeId: string): Promise<string | null> {
  const { rows } = await sql<{ token: string | null }>`
    select image_token as token from store where id = ${storeId}`.execute(shared);
  return rows[0]?.token ?? null;
}

/** The same, and draws it for the first one. */
export async function imageTokenOf(shared: Sql, storeId: string): Promise<string> {
  await sql`
    update store set image_token = gen_random_uuid() where id = ${storeId} and image_token is null`.execute(shared);
  return (await findImageToken(shared, storeId)) as string;
}

/** Undefined if there is no such token. */
export async function storeOfImages(shared: Sql, token: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from store where image_token = ${token}`.execute(shared);
  return rows[0]?.id;
}
