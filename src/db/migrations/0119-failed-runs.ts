import { Migration } from '@mikro-orm/migrations';
import { FAILED_RUNS } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** What has failed of late is found by when it did. */
export class FailedRuns extends Migration {
  override up(): void {
    this.addSql(register(FAILED_RUNS));
  }
}
