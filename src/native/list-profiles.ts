import type { Operations } from '../../generated/native/operations.gen.ts';
import type { ListProfilesData } from '../../generated/native/types.gen.ts';
import type { SchemaProgress } from '../db/background/background-migrations.ts';
import { CUSTOMERS_BY_NAME } from '../db/background/migrations.ts';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Caller } from '../domain/caller.ts';
import { canonicalEmailPrefix, readEmail } from '../domain/canonical/email.ts';
import { readPhone, readPhoneSearch } from '../domain/canonical/phone.ts';
import { allSpellings } from '../domain/identifiers.ts';
import type { Profile } from '../domain/profile.ts';
import { currentIds } from '../domain/profile-aliases.ts';
import type { Page, PageRequest } from '../domain/reading/cursor.ts';
import { findProfiles, type IdentifierFilter, readProfiles } from '../domain/reading/profiles.ts';
import { findProfilesByName } from '../domain/reading/profiles-by-name.ts';
import { invalid, overloaded } from '../domain/service-error.ts';
import type { Handler } from '../http/handler.ts';
import { withPlusSigns } from '../http/plus-signs.ts';
import { toPageRequest } from './query.ts';
import { renderProfile } from './representations/profile.ts';

type Query = NonNullable<ListProfilesData['query']>;

/** Returns a page of the profiles that a filter selects. */
type Find = (page: PageRequest) => Promise<Page<Profile>>;

export function listProfiles(stores: StoreData, background: SchemaProgress): Handler<Operations, 'listProfiles'> {
  return async ({ request: { query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    if (query.name_prefix !== undefined && !background.isComplete(CUSTOMERS_BY_NAME)) {
      throw overloaded('Customers can be found by name once an upgrade is complete; try again later');
    }
    const page = toPageRequest(query);
    const { items, next } = await finderOf(sql, caller, query)(page);
    return { status: 200, body: { profiles: items.map(renderProfile), next_cursor: next } };
  };
}

/** Returns the query for validated parameters. Throws `validation_error` if there are several filters. */
function finderOf(sql: Sql, caller: Caller, query: Query): Find {
  const given: [keyof Query, Find][] = [];
  const add = (name: keyof Query, find: Find) => {
    if (query[name] !== undefined) given.push([name, find]);
  };
  const by =
    (filter: IdentifierFilter): Find =>
    (page) =>
      findProfiles(sql, caller, filter, page);
  add('ids', async (page) => readProfiles(sql, caller, page, await currentIds(sql, caller.storeId, query.ids ?? [])));
  add('email', by({ kind: 'email', values: allSpellings(readEmail(query.email ?? '')) }));
  add('phone', by({ kind: 'phone', values: allSpellings(readPhone(query.phone ?? '', caller.country)) }));
  add('external_id', by({ kind: 'external_id', values: [query.external_id ?? ''] }));
  add('source_id', by({ kind: 'source_id', values: [query.source_id ?? ''] }));
  add(
    'email_prefix',
    by({ kind: 'email', beginning: canonicalEmailPrefix(withPlusSigns('idn-email', query.email_prefix ?? '')) }),
  );
  add('phone_prefix', by(phoneFilter(withPlusSigns('phone', query.phone_prefix ?? ''), caller)));
  add('external_id_prefix', by({ kind: 'external_id', beginning: query.external_id_prefix ?? '' }));
  add('name_prefix', (page) => findProfilesByName(sql, caller, query.name_prefix?.trim() ?? '', page));
  const [first, second] = given;
  if (second) throw invalid({ path: [second[0]], problem: `can't be combined with ${first?.[0]}` });
  return first?.[1] ?? ((page) => readProfiles(sql, caller, page));
}

function phoneFilter(typed: string, { country }: Caller): IdentifierFilter {
  const search = readPhoneSearch(typed, country);
  return { kind: 'phone', ...('whole' in search ? { values: allSpellings(search.whole) } : search) };
}
