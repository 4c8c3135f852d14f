import { sql } from 'kysely';
import type { Store } from '../db/entities/store.ts';
import type { Sql } from '../db/sql.ts';
import { planOfCountry } from './canonical/numbering-plans.ts';
import { invalid } from './service-error.ts';
import { isTimeZone } from './time/local.ts';

/** What holds for everything that a store records. */
export type StoreSettings = Pick<
  Store,
  | 'id'
  | 'name'
  | 'displayName'
  | 'timeZone'
  | 'currency'
  | 'country'
  | 'websiteUrl'
  | 'historyDays'
  | 'keySignIn'
  | 'requiresSecondFactor'
>;

type Changeable = Omit<StoreSettings, 'id' | 'name'>;
/** Those that change; null for none. */
export type StoreChanges = { [Setting in keyof Changeable]?: Changeable[Setting] | undefined };

const COLUMNS = sql`
  id, name, display_name as "displayName", time_zone as "timeZone", currency, country, website_url as "websiteUrl",
  history_days as "historyDays", key_sign_in as "keySignIn", requires_second_factor as "requiresSecondFactor"`;

/** Currencies that are in use, by their codes of ISO 4217. */
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** `db` is what stores have in common. */
export async function readStoreSettings(db: Sql, storeId: string): Promise<StoreSettings> {
  const { rows } = await sql<StoreSettings>`select ${COLUMNS} from store where id = ${storeId}`.execute(db);
  return rows[0] as StoreSettings;
}

/** Changes the settings that are given. Throws as `expectSettings` does. */
export async function changeStoreSettings(db: Sql, storeId: string, changes: StoreChanges): Promise<StoreSettings> {
  expectSettings(changes);
  const { country, timeZone, currency, websiteUrl } = changes;
  const columns = {
    display_name: changes.displayName === undefined ? undefined : changes.displayName?.trim() || null,
    ...{ time_zone: timeZone, currency, country, website_url: websiteUrl, history_days: changes.historyDays },
    key_sign_in: changes.keySignIn,
    requires_second_factor: changes.requiresSecondFactor,
  };
  const set = Object.entries(columns).flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`],
  );
  if (set.length === 0) return await readStoreSettings(db, storeId);
  const { rows } = await sql<StoreSettings>`
    update store set ${sql.join(set)} where id = ${storeId} returning ${COLUMNS}`.execute(db);
  return rows[0] as StoreSettings;
}

/** Throws `validation_error` for a country whose numbers are not known, and for what is no time zone, currency or address of a page. */
export function expectSettings({ country, timeZone, currency, websiteUrl }: StoreChanges): void {
  if (country && !planOfCountry(country)) refuse('country', 'the code of a country (ISO 3166), such as GB');
  if (timeZone && !isTimeZone(timeZone)) refuse('time_zone', 'the name of a time zone, such as Europe/Berlin');
  if (currency && !CURRENCIES.has(currency)) refuse('currency', 'the code of a currency (ISO 4217), such as EUR');
  if (websiteUrl && !isWebAddress(websiteUrl)) refuse('website_url', 'an address that begins with https:// or http://');
}

/** What customers know a store by. */
export function shownName({ name, displayName }: Pick<StoreSettings, 'name' | 'displayName'>): string {
  return displayName ?? name;
}

function refuse(field: string, what: string): never {
  throw invalid({ path: [field], problem: `is not ${what}` });
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
