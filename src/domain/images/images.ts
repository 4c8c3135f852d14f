import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { always, type Once } from '../kept-answers.ts';
import { type Page, type PageRequest, readNewest } from '../reading/cursor.ts';
import { invalid, ServiceError } from '../service-error.ts';
import { retryConflicts } from '../write/retry-conflicts.ts';
import { formatOf, type ImageType } from './image-format.ts';

/** An image as it is shown: without its bytes. */
export interface Image {
  id: string;
  name: string;
  type: ImageType;
  size: number;
  width: number;
  height: number;
  hash: Buffer;
  createdAt: Date;
}

export interface StoredImage {
  image: Image;
  /** Whether the store had it already. */
  isKnown: boolean;
}

export interface ImageInput {
  name: string;
  /** Base64. */
  data: string;
}

const MB = 1024 * 1024;
const MAX_BYTES = 2 * MB;
/** Of all images of a store. */
const MAX_TOTAL_MB = 100;
const MAX_IMAGES = 2_000;
/** Pixels of either side: what is larger takes those who open it more memory than it says. */
const MAX_SIDE = 10_000;

const COLUMNS = sql`
  id, name, type, size, width, height, hash, (extract(epoch from created_at) * 1000)::float8 as created`;

interface ImageRow extends Omit<Image, 'createdAt'> {
  created: number;
}

/**
 * Stores an image; one that the store has already stays as it is. Throws `validation_error` for what is none, or is too
 * much.
 */
export async function createImage(
  db: Sql,
  storeId: string,
  { name, data }: ImageInput,
  once: Once<StoredImage> = always,
): Promise<StoredImage> {
  const bytes = decoded(data);
  const { type, width, height } = expectFormat(bytes);
  const digest = hash('sha256', bytes, 'buffer');
  const create = async (tx: Sql): Promise<StoredImage> => {
    const known = await findByHash(tx, storeId, digest);
    if (known) return { image: known, isKnown: true };
    // Several at the same time may be a little too much, which does no harm.
    const { rows } = await sql<ImageRow>`
      insert into image (store_id, id, hash, type, bytes, size, width, height, name, created_at)
      select ${storeId}, ${newId()}, ${digest}, ${type}, ${bytes}, ${bytes.length}, ${width}, ${height}, ${name}, now()
      where (
        select count(*) < ${MAX_IMAGES} and coalesce(sum(size), 0) + ${bytes.length} <= ${MAX_TOTAL_MB * MB}
        from image where store_id = ${storeId}
      )
      on conflict (store_id, hash) do nothing
      returning ${COLUMNS}`.execute(tx);
    if (rows[0]) return { image: fromRow(rows[0]), isKnown: false };
    const stored = await findByHash(tx, storeId, digest);
    if (stored) return { image: stored, isKnown: true };
    const message = `The store would have more than ${MAX_TOTAL_MB} MB or ${MAX_IMAGES} images; delete some first`;
    throw new ServiceError('validation_error', message);
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => create(tx))));
}

function decoded(data: string): Buffer {
  const bytes = Buffer.from(data, 'base64');
  // Node leaves out what it does not know, and reads on behind the end.
  if (bytes.toString('base64').replace(/=+$/, '') !== data.replace(/=+$/, '')) {
    throw invalid({ path: ['data'], problem: 'must be Base64' });
  }
  return bytes;
}

function expectFormat(bytes: Buffer) {
  const fail = (problem: string) => invalid({ path: ['data'], problem });
  if (bytes.length > MAX_BYTES) throw fail(`must not have more than ${MAX_BYTES / MB} MB`);
  const format = formatOf(bytes);
  if (!format) throw fail('must be an image: PNG, JPEG, GIF or WebP');
  const isSound = [format.width, format.height].every((side) => side >= 1 && side <= MAX_SIDE);
  if (!isSound) throw fail(`must be 1 to ${MAX_SIDE} pixels wide and high`);
  return format;
}

async function findByHash(tx: Sql, storeId: string, digest: Buffer): Promise<Image | undefined> {
  const { rows } = await sql<ImageRow>`
    select ${COLUMNS} from image where store_id = ${storeId} and hash = ${digest}`.execute(tx);
  return rows[0] && fromRow(rows[0]);
}

/** Returns the images of the store, newest first. */
export async function listImages(db: Sql, storeId: string, page: PageRequest): Promise<Page<Image>> {
  return await readNewest(
    db,
    page,
    fromRow,
    (place) => sql<ImageRow & { candidates?: never }>`
    select ${COLUMNS} from image
    where store_id = ${storeId} and ${place}`,
  );
}

/** Returns the image as it was; undefined if the store has no such image. */
export async function deleteImage(
  db: Sql,
  storeId: string,
  id: string,
  once: Once<Image | undefined> = always,
): Promise<Image | undefined> {
  const remove = async (tx: Sql) => {
    const { rows } = await sql<ImageRow>`
      delete from image where store_id = ${storeId} and id = ${id} returning ${COLUMNS}`.execute(tx);
    return rows[0] && fromRow(rows[0]);
  };
  return await retryConflicts(db, () => db.transaction().execute((tx) => once(tx, () => remove(tx))));
}

function fromRow({ created, ...row }: ImageRow): Image {
  return { ...row, createdAt: new Date(created) };
}
