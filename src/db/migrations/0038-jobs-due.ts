import { Migration } from '@mikro-orm/migrations';
import { FORMER_JOB_QUEUE, JOBS_DUE } from '../background/migrations.ts';
import { register } from '../background/register.ts';

/** Which stores have something to do is found by their jobs, in place of a queue. */
export class JobsDue extends Migration {
  override up(): void {
    this.addSql(register(JOBS_DUE));
    this.addSql(register(FORMER_JOB_QUEUE));
  }
}
