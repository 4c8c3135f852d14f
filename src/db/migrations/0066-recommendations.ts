import { Migration } from '@mikro-orm/migrations';

/** What customers did with items, how often on each day, and what is recommended by that, for as long as it is kept. */
export class Recommendations extends Migration {
  override up(): void {
    this.addSql(`
      create table item_activity (
        store_id uuid not null,
        profile_id uuid not null,
        kind text not null constraint item_activity_kind_check check (kind in ('viewed', 'carted', 'ordered')),
        item_id text collate "C" not null,
        times int not null,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        constraint item_activity_pkey primary key (store_id, profile_id, kind, item_id)
      )`);
    this.addSql('create index item_activity_of_item on item_activity (store_id, item_id, kind, last_at)');
    this.addSql('create index item_activity_last on item_activity (store_id, last_at)');
    this.addSql(`
      create table item_day (
        store_id uuid not null,
        day date not null,
        item_id text collate "C" not null,
        views int not null,
        carts int not null,
        orders int not null,
        constraint item_day_pkey primary key (store_id, day, item_id)
      )`);
    this.addSql('create index item_day_ordered on item_day (store_id, day, item_id) where orders > 0');
    this.addSql(`
      create table recommendation (
        store_id uuid not null,
        kind text not null constraint recommendation_kind_check check (kind in ('also_bought', 'best_sellers')),
        place text collate "C" not null,
        item_ids text[] not null,
        computed_at timestamptz(3) not null,
        constraint recommendation_pkey primary key (store_id, kind, place)
      )`);
    this.addSql('create index recommendation_computed on recommendation (store_id, computed_at)');
  }
}
