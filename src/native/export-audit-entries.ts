import type { Operations } from '../../generated/native/operations.gen.ts';
import type { AuditEntry } from '../../generated/native/types.gen.ts';
import { type AuditFilter, readAuditEntries } from '../domain/audit/read-entries.ts';
import { csvLine, textCell } from '../domain/csv.ts';
import type { Read } from '../domain/profile-exports/pages.ts';
import { patientRead } from '../domain/profile-exports/patient-read.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import { begunStream } from '../http/begun-stream.ts';
import type { Handler } from '../http/handler.ts';
import type { ExportTools } from './export-profile.ts';
import { toTimeRange } from './query.ts';
import { renderAuditEntries } from './representations/audit-entry.ts';

/** Entries that are read at once. */
const PAGE = 500;

const COLUMNS: Record<string, (entry: AuditEntry) => string | number | null> = {
  id: ({ id }) => id,
  begun_at: ({ begun_at }) => begun_at,
  ended_at: ({ ended_at }) => ended_at,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  address: ({ address }) => address,
  operation: ({ operation }) => operation,
  target: ({ target }) => target,
  fields: ({ fields }) => fields.join(' '),
  outcome: ({ outcome }) => outcome,
  status: ({ status }) => status,
  request_id: ({ request_id }) => request_id,
};

export function exportAuditEntries({ stores, reading, slots }: ExportTools): Handler<Operations, 'exportAuditEntries'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { query = {} }, caller: { storeId }, deadline }) => {
    const filter = { actorId: query.actor_id, operation: query.operation, ...toTimeRange(query) };
    const release = slots.take(storeId);
    try {
      // A request has a connection until it is answered; then each page waits for one.
      let hasConnection = true;
      const later = patientRead(reading, storeId);
      const read: Read = (work) => (hasConnection ? work(stores.of(storeId)) : later(work));
      const stream = await begunStream(pieces(read, names, storeId, filter), deadline.signal);
      hasConnection = false;
      stream.once('close', release);
      const disposition = 'attachment; filename="audit-log.csv"';
      return { status: 200, stream, headers: { 'Content-Type': 'text/csv', 'Content-Disposition': disposition } };
    } catch (error) {
      release();
      throw error;
    }
  };
}

async function* pieces(read: Read, names: KeyNames, storeId: string, filter: AuditFilter): AsyncGenerator<Buffer> {
  let text = csvLine(Object.keys(COLUMNS));
  let cursor: string | undefined;
  do {
    const { items, next } = await read((db) => readAuditEntries(db, storeId, filter, { limit: PAGE, cursor }));
    for (const entry of await renderAuditEntries(names, storeId, items)) {
      text += csvLine(Object.values(COLUMNS).map((cellOf) => textCell(String(cellOf(entry) ?? ''))));
    }
    yield Buffer.from(text);
    text = '';
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
