import { Migration } from '@mikro-orm/migrations';

/** What customers ordered, how many are new, and a part of them by which the others are estimated. */
export class CustomerValues extends Migration {
  override up(): void {
    this.addSql(`
      create table customer_value (
        store_id uuid not null,
        profile_id uuid not null,
        -- Empty where orders name none.
        currency text collate "C" not null,
        orders int not null,
        amount numeric not null,
        refunded numeric not null,
        first_at timestamptz(3) not null,
        last_at timestamptz(3) not null,
        constraint customer_value_pkey primary key (store_id, profile_id, currency)
      )`);
    this.addSql('alter table order_quarter add column first_orders int not null default 0');
    // No version that was released has orders: they are made of the events once more.
    this.addSql('truncate order_note, store_order, order_quarter');
    this.addSql(
      `update order_settings set stage = 'reading', place_type = null, place_at = null, place_id = null where true`,
    );
    // One customer in eight: the last byte of an id is random. Nobody's id is none of these.
    this.addSql(`
      create index store_order_sample on store_order (store_id, placed_at, profile_id)
      where cancelled_at is null and get_byte(uuid_send(profile_id), 15) >= 224`);
  }
}
