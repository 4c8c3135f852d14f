import type { Readable } from 'node:stream';
import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { openAddressDigest } from '../domain/messages/core/address-digest.ts';
import { type ExportFormat, exportProfile as write } from '../domain/profile-exports/export.ts';
import type { Read } from '../domain/profile-exports/pages.ts';
import { patientRead } from '../domain/profile-exports/patient-read.ts';
import type { ExportSlots } from '../domain/profile-exports/slots.ts';
import { findExported } from '../domain/profile-exports/subject.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { begunStream } from '../http/begun-stream.ts';
import type { Call, Handler } from '../http/handler.ts';
import { isId } from '../ids/uuid-v7.ts';

/** What exports need: both of the data that is read from. */
export interface ExportTools {
  stores: StoreData;
  reading: WithConnection;
  slots: ExportSlots;
}

export function exportProfile(tools: ExportTools): Handler<Operations, 'exportProfile'> {
  return async (call) => {
    const { stream, name } = await exported(tools, call, 'json');
    return { status: 200, stream, headers: headersOf('application/json', `${name}.json`) };
  };
}

export function exportProfileFiles(tools: ExportTools): Handler<Operations, 'exportProfileFiles'> {
  return async (call) => {
    const { stream, name } = await exported(tools, call, 'zip');
    return { status: 200, stream, headers: headersOf('application/zip', `${name}.zip`) };
  };
}

function headersOf(type: string, file: string) {
  return { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${file}"` };
}

async function exported(
  { stores, reading, slots }: ExportTools,
  {
    request,
    caller: { storeId },
    deadline,
  }: Pick<Call<Operations['exportProfile']['request']>, 'request' | 'caller' | 'deadline'>,
  format: ExportFormat,
): Promise<{ stream: Readable; name: string }> {
  const profileId = request.path.id.toLowerCase();
  if (!isId(profileId)) throw new ServiceError('not_found', 'There is no such profile');
  const digestOf = await openAddressDigest(stores.shared);
  const of = await findExported(stores.of(storeId), storeId, profileId, digestOf);
  if (!of) throw new ServiceError('not_found', 'There is no such profile');
  const release = slots.take(storeId);
  try {
    // A request has a connection until it is answered; then each page waits for one.
    let hasConnection = true;
    const later = patientRead(reading, storeId);
    const read: Read = (work) => (hasConnection ? work(stores.of(storeId)) : later(work));
    const stream = await begunStream(write(read, of, format), deadline.signal);
    hasConnection = false;
    stream.once('close', release);
    return { stream, name: `customer-${of.profileId}` };
  } catch (error) {
    release();
    throw error;
  }
}
