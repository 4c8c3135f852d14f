import { Migration } from '@mikro-orm/migrations';
import { SEGMENT_CAUSES } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** Customers enter and leave segments by a merge, too. What is there already is looked through in the background. */
export class MergesInSegments extends Migration {
  override up(): void {
    this.addSql('alter table segment_change drop constraint segment_change_cause_check');
    this.addSql(`
      alter table segment_change
      add constraint segment_change_cause_check check (cause in (
        'event', 'profile', 'list', 'consent', 'segment', 'time', 'import', 'definition', 'merge')) not valid`);
    this.addSql(register(SEGMENT_CAUSES));
  }
}
