import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { JsonObject } from '../../conditions/subject.ts';
import { watchedAttributes } from '../core/definition/uses.ts';
import { nextDate } from '../core/machine/date-plan.ts';
import { upsertDates } from '../stored/dates.ts';
import type { EngineTools } from './tools.ts';

/** Customers that one transaction looks at. */
const MAX_PROFILES = 1_000;

/** Larger values are no dates, and no time zones; a thousand of them would be too much at once. */
const MAX_VALUE_BYTES = 8 * 1024;

interface Fill {
  automationId: string;
  version: number;
  afterProfileId: string;
}

/**
 * Enters the dates of customers who were there when an automation with a trigger of dates was published, in the order of
 * their ids. Those who come later, and dates that change meanwhile, are read in the change feed. Returns whether there
 * may be more.
 */
export async function fillDates(db: Sql, storeId: string, tools: EngineTools): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const { rows: fills } = await sql<Fill>`
      select automation_id as "automationId", version, after_profile_id as "afterProfileId"
      from automation_date_fill
      where store_id = ${storeId}
      limit 1
      for update skip locked`.execute(tx);
    const [fill] = fills;
    if (!fill) return false;
    await fillSome(tx, storeId, fill, tools);
    return true;
  });
}

async function fillSome(tx: Sql, storeId: string, fill: Fill, { versions, now }: EngineTools): Promise<void> {
  const { automationId, version } = fill;
  const ref = { automationId, number: version };
  const { definition } = (await versions.loadAll(tx, storeId, [ref]))(ref);
  const names = [...watchedAttributes(definition)];
  const { rows } = await sql<{ id: string; attributes: RawJson }>`
    select id, (
        select coalesce(jsonb_object_agg(name, attributes -> name), '{}')
        from unnest(${texts(names)}::text[]) as name
        where attributes ? name and pg_column_size(attributes -> name) <= ${MAX_VALUE_BYTES}
      ) as attributes
    from profile
    where store_id = ${storeId} and id > ${fill.afterProfileId}
    order by id
    limit ${MAX_PROFILES}`.execute(tx);
  const dates = rows.flatMap(({ id, attributes }) => {
    const occasion = nextDate(definition, attributes.parse<JsonObject>(), now());
    return occasion ? [{ automationId, profileId: id, version, ...occasion }] : [];
  });
  await upsertDates(tx, storeId, dates, now());
  const last = rows.at(-1);
  if (last && rows.length === MAX_PROFILES) {
    await sql`
      update automation_date_fill set after_profile_id = ${last.id}
      where store_id = ${storeId} and automation_id = ${automationId}`.execute(tx);
  } else {
    await sql`
      delete from automation_date_fill where store_id = ${storeId} and automation_id = ${automationId}`.execute(tx);
  }
}
