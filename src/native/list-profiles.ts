import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ListProfilesData } from '../../generated/native/types.gen.ts';
import type { Sql } from '../db/orm.ts';
import { invalid } from '../domain/errors.ts';
import { normaliseEmail, normalisePhone, stripPhone } from '../domain/identifiers.ts';
import { findProfiles, type IdentifierFilter, listProfiles as list } from '../domain/reading/profiles.ts';
import type { Handler } from '../http/handler.ts';
import { toProfile } from './profile.ts';
import { toPageRequest } from './query.ts';

type Query = NonNullable<ListProfilesData['query']>;

export function listProfiles(sql: Sql): Handler<Operations, 'listProfiles'> {
  return async ({ request: { query = {} }, caller }) => {
    const [page, filter] = [toPageRequest(query), toFilter(query)];
    const { items, next } = await (filter ? findProfiles(sql, caller, filter, page) : list(sql, caller, page));
    return { status: 200, body: { profiles: items.map(toProfile), next_cursor: next } };
  };
}

/** From validated parameters. Throws `validation_error` where there are several filters. */
function toFilter(query: Query): IdentifierFilter | undefined {
  const given: [keyof Query, IdentifierFilter][] = [];
  const add = (
    name: keyof Query,
    kind: IdentifierFilter['kind'],
    match: IdentifierFilter['match'],
    value: string | undefined,
  ) => {
    if (value !== undefined) given.push([name, { kind, value, match }]);
  };
  add('email', 'email', 'whole', query.email && normaliseEmail(query.email));
  add('phone', 'phone', 'whole', query.phone && normalisePhone(query.phone));
  add('external_id', 'external_id', 'whole', query.external_id);
  add('email_prefix', 'email', 'beginning', query.email_prefix?.trim().toLowerCase());
  add('phone_prefix', 'phone', 'beginning', query.phone_prefix && stripPhone(query.phone_prefix));
  add('external_id_prefix', 'external_id', 'beginning', query.external_id_prefix);
  const [first, second] = given;
  if (second) throw invalid({ path: [second[0]], problem: `can't be combined with ${first?.[0]}` });
  return first?.[1];
}
