import { Migration } from '@mikro-orm/migrations';

/** What messages earn: clicks and opens by the time that they happened, and orders with the message that led to each. */
export class Attribution extends Migration {
  override up(): void {
    this.addSql("alter table message_settings add column conversion_types text[] not null default '{placed_order}'");
    this.addSql("alter table message_settings add column refund_types text[] not null default '{refunded_order}'");
    this.addSql("alter table message_settings add column click_window text not null default 'P5D'");
    this.addSql('alter table message_settings add column open_window text');
    this.addSql(`
      create table message_touch (
        store_id uuid not null,
        profile_id uuid not null,
        touched_at timestamptz(3) not null,
        message_id uuid not null,
        kind text not null check (kind in ('click', 'open')),
        primary key (store_id, profile_id, kind, touched_at, message_id)
      )`);
    this.addSql('create index message_touch_at on message_touch (store_id, touched_at)');
    this.addSql(`
      create table attribution (
        store_id uuid not null,
        event_id uuid not null,
        profile_id uuid not null,
        message_id uuid,
        source_id uuid,
        template_id uuid,
        ordered_at timestamptz(3) not null,
        touched_at timestamptz(3),
        click_window_ms bigint not null,
        open_window_ms bigint,
        template_version int,
        is_placed boolean not null,
        is_refunded_whole boolean not null default false,
        touch text check (touch in ('click', 'open')),
        source text check (source in ('request', 'automation', 'campaign')),
        step_id text,
        order_id text,
        currency text,
        value numeric,
        refunded numeric not null default 0,
        primary key (store_id, event_id)
      )`);
    this.addSql(
      'create unique index attribution_of_order on attribution (store_id, order_id) where order_id is not null',
    );
    this.addSql('create index attribution_of_profile on attribution (store_id, profile_id, ordered_at)');
    this.addSql('create index attribution_at on attribution (store_id, ordered_at) where message_id is not null');
    this.addSql(
      'create index attribution_of_source on attribution (store_id, source_id, ordered_at) where source_id is not null',
    );
  }
}
