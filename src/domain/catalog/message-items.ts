import type { Sql } from '../../db/sql.ts';
import type { JsonObject } from '../conditions/subject.ts';
import { type EventItem, findEventItems } from './find-event-items.ts';

/** Items of an event that a message says something about, the first ones. */
export const MAX_MESSAGE_ITEMS = 20;

/** Finds what messages say of the items of events: as the catalog has them now, which stays with the message. */
export async function findMessageItems(
  db: Sql,
  storeId: string,
  events: readonly JsonObject[],
): Promise<EventItem[][]> {
  return await findEventItems(db, storeId, events, MAX_MESSAGE_ITEMS);
}
