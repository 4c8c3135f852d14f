import { Migration } from '@mikro-orm/migrations';

/** Steps of automations add customers to lists. */
export class StepsOnAudiences extends Migration {
  override up(): void {
    this.addSql('alter table list_member drop constraint list_member_how_check');
    // What there is has been checked by the constraint before: it need not be read again.
    this.addSql(`
      alter table list_member
      add constraint list_member_how_check check (how in ('api', 'subscription', 'import', 'automation')) not valid`);
  }
}
