import { Migration } from '@mikro-orm/migrations';
import {
  EVENTS_BY_ORDER,
  FORMER_EVENTS_BY_ORDER,
  IDENTIFIER_KINDS,
  PROFILES_BY_UPDATE,
} from '../background/migrations.ts';
import { register } from '../background/register.ts';

const ALL = [EVENTS_BY_ORDER, FORMER_EVENTS_BY_ORDER, IDENTIFIER_KINDS, PROFILES_BY_UPDATE];

/**
 * What takes long on a filled table is done in the background; on an empty one it is done here. The events of an order are
 * found by how its id begins, not by its hash: new ones lie side by side in the index, and cost each event less.
 */
export class BackgroundMigrations extends Migration {
  override up(): void {
    this.addSql(`
      create table background_migration (
        name text primary key,
        attempts int not null default 0,
        done int not null default 0,
        total int,
        error text,
        created_at timestamptz(3) not null default now(),
        started_at timestamptz(3),
        completed_at timestamptz(3),
        taken_by uuid,
        taken_until timestamptz(3)
      )`);
    for (const migration of ALL) this.addSql(register(migration));
  }
}
