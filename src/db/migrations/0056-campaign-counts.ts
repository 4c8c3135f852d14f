import { Migration } from '@mikro-orm/migrations';

/** What became of the messages of large campaigns, counted apart from requests; and what waits besides campaigns. */
export class CampaignCounts extends Migration {
  override up(): void {
    this.addSql(`
      create table campaign_count (
        store_id uuid not null,
        campaign_id uuid not null,
        reached uuid not null default '00000000-0000-0000-0000-000000000000',
        counted_at timestamptz(3),
        begun_at timestamptz(3),
        due_at timestamptz(3),
        rounds_left smallint not null default 0,
        counts json,
        running json,
        primary key (store_id, campaign_id)
      )`);
    this.addSql('create index campaign_count_due on campaign_count (store_id, due_at) where due_at is not null');
    this.addSql(`
      create index message_of_no_campaign on message (store_id, sender_id, class, due_at, id)
        where due_at is not null and source <> 'campaign'`);
  }
}
