import { Migration } from '@mikro-orm/migrations';

/** Was an index of the events of an order, by a hash. What has replaced it comes with 0035, and in the background. */
export class EventsOfAnOrder extends Migration {
  override up(): void {}
}
