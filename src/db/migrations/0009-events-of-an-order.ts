import { Migration } from '@mikro-orm/migrations';

/** The events of an order are looked up by its id, however long ago they were. */
export class EventsOfAnOrder extends Migration {
  override up(): void {
    // By its hash: a key of the index has an end, and its size is what it costs each event that has such a property.
    this.addSql(`
      create index event_order on event (store_id, hashtext(properties ->> 'order_id'), occurred_at, id)
      where properties ->> 'order_id' is not null`);
  }
}
