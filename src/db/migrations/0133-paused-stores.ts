import { Migration } from '@mikro-orm/migrations';

/** Stores that somebody holds, beside those that a restore does. */
export class PausedStores extends Migration {
  override up(): void {
    this.addSql(`
      alter table automation_hold
        add column reason text not null default 'restored'
          constraint automation_hold_reason_check check (reason in ('restored', 'paused')),
        add column held_by_kind text
          constraint automation_hold_held_by_kind_check check (held_by_kind in ('key', 'person')),
        add column held_by uuid`);
  }
}
