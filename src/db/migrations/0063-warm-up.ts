import { Migration } from '@mikro-orm/migrations';

/** How many messages a sender may send in its first days, and on how many it has sent any. */
export class WarmUp extends Migration {
  override up(): void {
    this.addSql('alter table sender add column warm_up_first int');
    this.addSql('alter table sender add column warm_up_target int');
    this.addSql('alter table sender add column warm_up_days int not null default 0');
  }
}
