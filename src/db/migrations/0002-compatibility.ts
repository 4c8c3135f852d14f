import { Migration } from '@mikro-orm/migrations';

/** What the compatibility surface needs: events that come back as they were sent, timelines by time. */
export class Compatibility extends Migration {
  override up(): void {
    // json, as properties are; null for an event of the native surface.
    this.addSql('alter table event add column source json');
    // By the time of the event, not of its receipt: a timeline with backfilled events has them in their place.
    this.addSql('drop index event_profile');
    this.addSql('create index event_profile on event (store_id, profile_id, occurred_at, id)');
  }
}
