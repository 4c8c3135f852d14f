import { Migration } from '@mikro-orm/migrations';

/** What a store sells, and what has changed of it. */
export class Catalog extends Migration {
  override up(): void {
    this.addSql(`
      create table catalog_item (
        store_id uuid not null,
        id text collate "C" not null,
        -- The feed that wrote it last; null for a request.
        feed_id uuid,
        title text not null,
        description text,
        url text,
        image_url text,
        images text[] not null default '{}',
        brand text collate "C",
        sku text collate "C",
        prices jsonb not null default '{}',
        stock int,
        stock_policy text not null default 'deny' check (stock_policy in ('deny', 'continue')),
        available boolean not null default true,
        attributes jsonb not null default '{}',
        status text not null default 'published' check (status in ('published', 'hidden')),
        hidden_because text check (hidden_because in ('requested', 'not_in_feed')),
        -- By which it is found: as of its title and of what it is sold as.
        words text[] not null default '{}',
        -- As of when its stock and its prices are known.
        stock_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    this.addSql('create index catalog_item_updated on catalog_item (store_id, updated_at, id)');
    this.addSql('create index catalog_item_brand on catalog_item (store_id, brand, id) where brand is not null');
    this.addSql('create index catalog_item_sku on catalog_item (store_id, sku) where sku is not null');
    this.addSql('create index catalog_item_feed on catalog_item (store_id, feed_id, id) where feed_id is not null');
    this.addSql(`
      create table catalog_variant (
        store_id uuid not null,
        id text collate "C" not null,
        item_id text collate "C" not null,
        title text,
        sku text collate "C",
        options jsonb not null default '{}',
        url text,
        image_url text,
        prices jsonb not null default '{}',
        stock int,
        stock_policy text not null default 'deny' check (stock_policy in ('deny', 'continue')),
        available boolean not null default true,
        attributes jsonb not null default '{}',
        stock_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    this.addSql('create index catalog_variant_of_item on catalog_variant (store_id, item_id, id)');
    this.addSql('create index catalog_variant_sku on catalog_variant (store_id, sku) where sku is not null');
    this.addSql(`
      create table catalog_word (
        store_id uuid not null,
        word text collate "C" not null,
        item_id text collate "C" not null,
        primary key (store_id, word, item_id)
      )`);
    this.addSql(`
      create table catalog_category (
        store_id uuid not null,
        id text collate "C" not null,
        title text not null,
        parent_id text collate "C",
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    this.addSql(
      'create index catalog_category_parent on catalog_category (store_id, parent_id) where parent_id is not null',
    );
    this.addSql(`
      create table catalog_item_category (
        store_id uuid not null,
        category_id text collate "C" not null,
        item_id text collate "C" not null,
        primary key (store_id, category_id, item_id)
      )`);
    this.addSql('create index catalog_item_category_item on catalog_item_category (store_id, item_id)');
    this.addSql(`
      create table catalog_change (
        store_id uuid not null,
        id uuid not null,
        item_id text collate "C" not null,
        variant_id text collate "C",
        kind text not null check (kind in (
          'back_in_stock', 'out_of_stock', 'low_stock', 'price_dropped', 'price_raised', 'published', 'hidden')),
        currency text,
        -- Prices, or pieces in stock; null where that is not known.
        before numeric,
        after numeric,
        changed_at timestamptz(3) not null,
        primary key (store_id, id)
      )`);
    this.addSql('create index catalog_change_of_item on catalog_change (store_id, item_id, id)');
    // How much a store has of each, as far as that is bounded.
    this.addSql(`
      create table catalog_count (
        store_id uuid primary key,
        items bigint not null default 0,
        variants bigint not null default 0,
        categories bigint not null default 0
      )`);
    // Loads of a whole catalog: what came with each, until it is complete.
    this.addSql(`
      create table catalog_sync (
        store_id uuid not null,
        id uuid not null,
        status text not null check (status in ('open', 'hiding', 'complete')),
        -- No item up to this one is left to hide.
        reached text collate "C" not null default '',
        hidden int not null default 0,
        created_at timestamptz(3) not null,
        -- When everything had come.
        ended_at timestamptz(3),
        primary key (store_id, id)
      )`);
    this.addSql(`
      create table catalog_sync_item (
        store_id uuid not null,
        sync_id uuid not null,
        item_id text collate "C" not null,
        primary key (store_id, sync_id, item_id)
      )`);

    this.addSql('alter table addition drop constraint addition_kind_check');
    this.addSql(`
      alter table addition
      add constraint addition_kind_check check (kind in (
        'event', 'rejection', 'profile', 'profile_change', 'automation_status', 'list_change', 'segment_change',
        'catalog_change'))`);
  }
}
