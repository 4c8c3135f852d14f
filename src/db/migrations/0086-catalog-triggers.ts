import { Migration } from '@mikro-orm/migrations';

/** Automations go through the customers whom a change of an item concerns. */
export class CatalogTriggers extends Migration {
  override up(): void {
    this.addSql(`
      create table automation_audience (
        store_id uuid not null,
        -- In the order in which items have changed.
        id uuid not null,
        automation_id uuid not null,
        change_id uuid not null,
        item_id text collate "C" not null,
        variant_id text collate "C",
        kind text not null
          constraint automation_audience_kind_check check (kind in ('back_in_stock', 'price_drop', 'low_stock')),
        currency text,
        before numeric,
        after numeric,
        changed_at timestamptz(3) not null,
        -- Which of its customers are gone through, and how far.
        stage text not null
          constraint automation_audience_stage_check check (stage in ('subscribed', 'carted', 'viewed', 'ordered')),
        after_at timestamptz(3),
        after_id uuid not null,
        -- Customers who were looked at, and those for whom a run has started.
        looked_at int not null default 0,
        told int not null default 0,
        -- Whether it was found that it is not so any more.
        is_over boolean not null default false,
        constraint automation_audience_pkey primary key (store_id, id)
      )`);
  }
}
