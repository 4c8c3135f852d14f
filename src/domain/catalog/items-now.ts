import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { RawJson } from '../../db/raw-json.ts';
import { rowExactly } from '../../db/rows.ts';
import type { ItemRef } from '../conditions/subject.ts';
import { SUMMARY, withVariants } from './read-items.ts';
import { sells } from './sellable.ts';

/** What can be said of it now; of a variant, what that has of its own. */
export interface ItemNow {
  title: string;
  variantTitle: string | null;
  brand: string | null;
  url: string | null;
  imageUrl: string | null;
  prices: RawJson;
  /** Null where it is not counted. */
  stock: number | null;
  isInStock: boolean;
  isPublished: boolean;
  attributes: RawJson;
  /** The ids of those that it is in. */
  categories: RawJson;
}

/** Returns items as they are now, in the order in which they are asked for; undefined for what is not there. */
export async function readItemsNow(
  db: Sql,
  storeId: string,
  refs: readonly ItemRef[],
): Promise<(ItemNow | undefined)[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<ItemNow & { n: number }>`
    select w.n::int, i.title, own.title as "variantTitle", i.brand, coalesce(own.url, i.url) as url,
      coalesce(own.image_url, i."imageUrl") as "imageUrl",
      case when own.prices <> '{}' then own.prices else i.prices end as prices,
      case when own.id is null then i.stock else own.stock::float8 end as stock,
      case when own.id is null then i."isInStock" else ${sells('own')} end as "isInStock",
      i.status = 'published' as "isPublished",
      i.attributes || coalesce(own.attributes, '{}') as attributes,
      (
        select coalesce(jsonb_agg(category_id order by category_id), '[]') from catalog_item_category
        where store_id = ${storeId} and item_id = i.id
      ) as categories
    from unnest(
      ${texts(refs.map(({ itemId }) => itemId))}::text[],
      ${texts(refs.map(({ variantId }) => variantId))}::text[]) with ordinality as w (item_id, variant_id, n)
    cross join lateral (
      select ${SUMMARY}, i.attributes
      from ${rowExactly('catalog_item', storeId, 'w.item_id')} i ${withVariants(storeId)}
    ) i
    left join lateral ${rowExactly('catalog_variant', storeId, 'w.variant_id')} own on own.item_id = w.item_id
    where w.variant_id is null or own.id is not null`.execute(db);
  const found = new Map(rows.map(({ n, ...row }) => [n - 1, row]));
  return refs.map((_, n) => found.get(n));
}
