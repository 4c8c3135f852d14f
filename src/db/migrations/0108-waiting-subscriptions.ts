import { Migration } from '@mikro-orm/migrations';

/** Those who still wait for items are found without those who were told, and the reverse. */
export class WaitingSubscriptions extends Migration {
  override up(): void {
    // No version that was released has subscriptions: there is nothing to read.
    this.addSql(`
      create index catalog_subscription_waiting on catalog_subscription (store_id, id) where notified_at is null`);
    this.addSql(`
      create index catalog_subscription_waiting_for_item on catalog_subscription (store_id, item_id, id)
      where notified_at is null`);
    this.addSql(`
      create index catalog_subscription_told on catalog_subscription (store_id, id) where notified_at is not null`);
    this.addSql(`
      create index catalog_subscription_told_of_item on catalog_subscription (store_id, item_id, id)
      where notified_at is not null`);
  }
}
