import { Migration } from '@mikro-orm/migrations';

/** Customers who wait until an item is there again, or costs less. */
export class CatalogSubscriptions extends Migration {
  override up(): void {
    this.addSql(`
      create table catalog_subscription (
        store_id uuid not null,
        -- In the order in which customers began to wait.
        id uuid not null,
        item_id text collate "C" not null,
        -- Null for any of them.
        variant_id text collate "C",
        kind text not null
          constraint catalog_subscription_kind_check check (kind in ('back_in_stock', 'price_drop')),
        profile_id uuid not null,
        -- What it has to cost less than, and in what.
        below numeric,
        currency text,
        -- Whether a page or an app wrote it down, with a public key: anybody may have.
        from_client boolean not null,
        created_at timestamptz(3) not null,
        -- When a run started for it.
        notified_at timestamptz(3),
        constraint catalog_subscription_pkey primary key (store_id, id)
      )`);
    this.addSql(`
      create unique index catalog_subscription_key on catalog_subscription
      (store_id, item_id, kind, profile_id, variant_id) nulls not distinct`);
    this.addSql('create index catalog_subscription_of_item on catalog_subscription (store_id, item_id, id)');
    this.addSql('create index catalog_subscription_of_profile on catalog_subscription (store_id, profile_id, id)');
    this.addSql('create index catalog_subscription_to on catalog_subscription (store_id, item_id, kind, id)');
  }
}
