import { Migration } from '@mikro-orm/migrations';

/** Transactional messages that pass campaigns are found wherever they are in the queue. */
export class UrgentMessages extends Migration {
  override up(): void {
    this.addSql(`
      create index message_urgent on message (store_id, sender_id, due_at, id)
        where due_at is not null and class = 'transactional' and source <> 'campaign'`);
  }
}
