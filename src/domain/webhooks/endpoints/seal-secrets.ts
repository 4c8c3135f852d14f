import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { type SecretsOfEndpoints, sealed } from './sealed-secrets.ts';
import { PREFIX, type PreviousSecret } from './signing.ts';

/** Endpoints that one transaction looks for. */
const MOST = 100;
/** Milliseconds after which it is looked once more where none was found: a process may have learned late that it may encrypt. */
const AGAIN_MS = 60 * 60 * 1000;

/** Encrypts the secrets of endpoints that stand in clear, once every process can read that. */
export function sealingOfSecrets({ secrets, isSealing }: SecretsOfEndpoints): DataTask {
  let next = 0;
  return {
    failure: 'secrets of webhooks not encrypted',
    everyMs: 1_000,
    forMs: 5_000,
    async run(db, until) {
      if (!isSealing() || Date.now() < next) return;
      while (performance.now() < until) {
        if ((await sealSome(db, secrets)) > 0) continue;
        next = Date.now() + AGAIN_MS;
        return;
      }
    },
  };
}

interface Row {
  storeId: string;
  id: string;
  secret: string;
  previousSecrets: RawJson;
}

/** Returns how many. Those that are being changed are found the next time. */
async function sealSome(db: Sql, secrets: Secrets): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row>`
      select store_id as "storeId", id, secret, previous_secrets as "previousSecrets" from webhook_endpoint
      where starts_with(secret, ${PREFIX}) or strpos(previous_secrets::text, ${`"${PREFIX}`}) > 0
      order by store_id, id limit ${MOST}
      for update skip locked`.execute(tx);
    for (const { previousSecrets, secret, ...of } of rows) {
      const previous = (JSON.parse(previousSecrets.text) as PreviousSecret[]).map((one) => {
        return { ...one, secret: sealed(secrets, of, one.secret) };
      });
      await sql`
        update webhook_endpoint
        set secret = ${sealed(secrets, of, secret)}, previous_secrets = ${JSON.stringify(previous)}
        where store_id = ${of.storeId} and id = ${of.id}`.execute(tx);
    }
    return rows.length;
  });
}
