import { Migration } from '@mikro-orm/migrations';

/** The events of an order are looked up by its id, however long ago they were. */
export class EventsOfAnOrder extends Migration {
  override up(): void {
    // Its beginning: a key of the index has an end, and the value of a property may be longer.
    this.addSql(`
      create index event_order on event (store_id, left(properties ->> 'order_id', 200), occurred_at, id)
      where properties ->> 'order_id' is not null`);
  }
}
