import { Migration } from '@mikro-orm/migrations';
import { AUDIT_BY_ACTOR_AND_OPERATION } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** What somebody has done of one operation is found by both. */
export class AuditByActorAndOperation extends Migration {
  override up(): void {
    this.addSql(register(AUDIT_BY_ACTOR_AND_OPERATION));
  }
}
