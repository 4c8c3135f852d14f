import type { Operations } from '../../generated/compat/operations.gen.ts';
import type { Sql } from '../db/orm.ts';
import { findProfile } from '../domain/reading/profiles.ts';
import { lastEventTime } from '../domain/record-event.ts';
import type { Handler } from '../http/handler.ts';
import { toProfileDocument } from './document/profile.ts';
import { pickAttributes } from './query/sparse.ts';
import { noSuchProfile } from './update-compat-profile.ts';

export function getCompatProfile(sql: Sql): Handler<Operations, 'getCompatProfile'> {
  return async ({ request: { path, query }, caller, base }) => {
    const profile = await findProfile(sql, caller, path.id);
    if (!profile) throw noSuchProfile();
    const lastEventAt = await lastEventTime(sql, caller, profile.id);
    const { data } = toProfileDocument(profile, lastEventAt, `${base()}/profiles/${profile.id}`);
    return { status: 200, body: { data: pickAttributes(data, query?.['fields[profile]']) } };
  };
}
