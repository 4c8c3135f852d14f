import type { Event } from '../../generated/native/types.gen.ts';
import type { Sql } from '../db/orm.ts';
import { parsed, RawJson, UnloadedJson } from '../db/raw-json.ts';
import type { Caller } from '../domain/caller.ts';
import { findEventItems } from '../domain/catalog/find-event-items.ts';
import type { JsonObject } from '../domain/conditions/subject.ts';
import type { RecordedEvent } from '../domain/event.ts';
import { expectScopes } from '../domain/expect-scopes.ts';
import { renderEvent } from './representations/event.ts';

/** Characters of JSON of one event in which items are looked for, and of those after which others have their turn. */
const [MAX_SEARCHED, MAX_PIECE] = [64 * 1024, 128 * 1024];

/** Renders events, with their items in the catalog where the request asks for them. Throws `forbidden` without the scope. */
export async function renderEvents(
  db: Sql,
  caller: Caller,
  events: readonly RecordedEvent[],
  { expand }: { expand?: string },
): Promise<Event[]> {
  if (expand !== 'items') return events.map(renderEvent);
  expectScopes(caller, ['catalog:read'], 'expand needs');
  const items = await findEventItems(db, caller.storeId, await propertiesOf(events));
  return events.map((event, i) => ({ ...renderEvent(event), items: items[i] ?? [] }));
}

async function propertiesOf(events: readonly RecordedEvent[]): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  let size = 0;
  for (const { properties } of events) {
    const length = properties instanceof RawJson ? properties.text.length : JSON.stringify(properties).length;
    const isLarge = length > MAX_SEARCHED || properties instanceof UnloadedJson;
    all.push(isLarge ? {} : (parsed(properties) as JsonObject));
    size += length;
    if (size < MAX_PIECE) continue;
    size = 0;
    await new Promise(setImmediate);
  }
  return all;
}
