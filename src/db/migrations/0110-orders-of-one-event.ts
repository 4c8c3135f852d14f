import { Migration } from '@mikro-orm/migrations';

/** Nothing is noted of an order that one event tells of alone; what is noted of others is found by its kind. */
export class OrdersOfOneEvent extends Migration {
  override up(): void {
    // No version that was released has orders, and 0109 has emptied these tables.
    this.addSql('alter table store_order add column is_noted boolean not null default true');
    this.addSql('drop index order_note_at');
    this.addSql('drop index order_note_of_order');
    this.addSql('create index order_note_of_order on order_note (store_id, order_id, kind, noted_at, event_id)');
  }
}
