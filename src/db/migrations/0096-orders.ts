import { Migration } from '@mikro-orm/migrations';

/** Orders of a store, made of its events, and their sums. */
export class Orders extends Migration {
  override up(): void {
    this.addSql(`
      create table order_settings (
        store_id uuid not null,
        placed_types text[] not null default '{placed_order}',
        refunded_types text[] not null default '{refunded_order}',
        cancelled_types text[] not null default '{cancelled_order,canceled_order}',
        order_id_properties text[] not null default '{order_id,OrderId,OrderNumber,orderId,$event_id}',
        amount_properties text[] not null default '{value,$value}',
        currency_properties text[] not null default '{currency,$currency_code}',
        -- What is done about events from before the reader: until then the orders are not complete.
        stage text not null default 'reading'
          constraint order_settings_stage_check check (stage in ('forgetting', 'reading', 'ready')),
        place_type text,
        place_at timestamptz(3),
        place_id uuid,
        constraint order_settings_pkey primary key (store_id)
      )`);
    this.addSql(`
      create table order_note (
        store_id uuid not null,
        event_id uuid not null,
        order_id text collate "C" not null,
        kind text not null constraint order_note_kind_check check (kind in ('placed', 'refunded', 'cancelled')),
        profile_id uuid not null,
        noted_at timestamptz(3) not null,
        currency text,
        -- Null of an order that says none, and of a refund of all that it cost.
        amount numeric,
        constraint order_note_pkey primary key (store_id, event_id)
      )`);
    this.addSql('create index order_note_of_order on order_note (store_id, order_id, noted_at, event_id)');
    this.addSql('create index order_note_of_profile on order_note (store_id, profile_id, event_id)');
    this.addSql('create index order_note_at on order_note (store_id, noted_at)');
    this.addSql(`
      create table store_order (
        store_id uuid not null,
        order_id text collate "C" not null,
        event_id uuid not null,
        profile_id uuid not null,
        placed_at timestamptz(3) not null,
        currency text,
        amount numeric,
        refunded numeric not null,
        cancelled_at timestamptz(3),
        event_count int not null,
        constraint store_order_pkey primary key (store_id, order_id)
      )`);
    this.addSql('create index store_order_at on store_order (store_id, placed_at, event_id)');
    this.addSql('create index store_order_of_profile on store_order (store_id, profile_id, placed_at, event_id)');
    this.addSql(`
      create table order_quarter (
        store_id uuid not null,
        start timestamptz(3) not null,
        -- Empty where orders name none.
        currency text collate "C" not null,
        orders int not null,
        amount numeric not null,
        refunded numeric not null,
        cancelled int not null,
        constraint order_quarter_pkey primary key (store_id, start, currency)
      )`);
  }
}
