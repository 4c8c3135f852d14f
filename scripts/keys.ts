/**
 * Manages API keys from the shell, with the server running or not:
 *
 *   npm run -s keys -- create --name N --scopes a,b [--tier standard] [--store S] [--expires-at T] [--json]
 *   npm run -s keys -- list [--store S] [--json]
 *   npm run -s keys -- revoke <id>
 *   npm run -s keys -- set-tier <id> <tier>
 */
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config.ts';
import { openEmbedded } from '../src/db/embedded.ts';
import type { ApiKeyRecord } from '../src/db/entities/api-key.ts';
import { type Database, migrate, openDatabase } from '../src/db/orm.ts';
import { ApiKeys, SCOPES, type Scope } from '../src/domain/api-keys.ts';
import { ensureStore, findStore } from '../src/domain/stores.ts';
import { parseTime } from '../src/domain/time.ts';
import { DEFAULT_STORE } from '../src/service.ts';
import { explain } from '../src/start-error.ts';

const USAGE = `Usage:
  npm run -s keys -- create --name N --scopes a,b [--tier standard] [--store S] [--expires-at T] [--json]
  npm run -s keys -- list [--store S] [--json]
  npm run -s keys -- revoke <id>
  npm run -s keys -- set-tier <id> <tier>
Scopes: ${SCOPES.join(', ')}. A store that --store names is created where there is none yet.`;

/** The command was wrong; the message says how. */
class UsageError extends Error {}

interface Options {
  name?: string;
  scopes?: string;
  tier?: string;
  store?: string;
  'expires-at'?: string;
  json?: boolean;
}

type Command = (database: Database, positionals: string[], options: Options, tiers: string[]) => Promise<void>;

const commands: Record<string, Command> = {
  async create(database, _positionals, options, tiers) {
    const { name = '', tier = 'standard', store = DEFAULT_STORE } = options;
    if (name.trim() === '') throw new UsageError('--name is required');
    const scopes = toScopes(options.scopes);
    checkTier(tier, tiers);
    const expiresAt = toExpiry(options['expires-at']);
    const storeId = await ensureStore(database, store);
    const { record, key } = await new ApiKeys(database).create({ storeId, name, scopes, tier, expiresAt });
    console.log(
      options.json ? JSON.stringify({ id: record.id, key }) : `id   ${record.id}\nkey  ${key}   (shown this once)`,
    );
  },

  async list(database, _positionals, { store, json }) {
    const storeId = store === undefined ? undefined : await findStore(database, store);
    if (store !== undefined && storeId === undefined) throw new UsageError(`There is no store "${store}"`);
    for (const record of await new ApiKeys(database).list(storeId)) {
      console.log(
        json
          ? JSON.stringify(toListed(record))
          : Object.values(toListed(record))
              .map((v) => v ?? '-')
              .join('  '),
      );
    }
  },

  async revoke(database, [id]) {
    if (!(await new ApiKeys(database).revoke(toId(id)))) throw new UsageError(`There is no key ${id}`);
  },

  async 'set-tier'(database, [id, tier = ''], _options, tiers) {
    checkTier(tier, tiers);
    if (!(await new ApiKeys(database).setTier(toId(id), tier))) throw new UsageError(`There is no key ${id}`);
  },
};

function toScopes(text = ''): Scope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
  const unknown = scopes.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (scopes.length === 0 || unknown.length > 0)
    throw new UsageError(`--scopes must list some of ${SCOPES.join(', ')}`);
  return [...new Set(scopes as Scope[])];
}

function checkTier(tier: string, tiers: string[]): void {
  if (!tiers.includes(tier)) throw new UsageError(`The tier must be one of ${tiers.join(', ')}`);
}

function toExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = parseTime(text);
  if (!time) throw new UsageError('--expires-at must be an RFC 3339 timestamp such as 2027-01-31T00:00:00Z');
  return time;
}

function toId(text = ''): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new UsageError('Give the id of a key, as list shows it');
  return text;
}

function toListed({ id, name, storeId, scopes, tier, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKeyRecord) {
  return {
    id,
    name,
    store_id: storeId,
    scopes: scopes.join(','),
    tier,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
  };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scopes: { type: 'string' },
      tier: { type: 'string' },
      store: { type: 'string' },
      'expires-at': { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const [name = '', ...rest] = positionals;
  const command = commands[name];
  if (!command) throw new UsageError(USAGE);

  const config = readConfig(process.env);
  const postgres = config.databaseUrl ? undefined : await openEmbedded(config.dataDir);
  const url = config.databaseUrl ?? (postgres?.url as string);
  try {
    await migrate(url);
    const database = await openDatabase(url, 2);
    try {
      await command(database, rest, values, [...config.rateLimitTiers.keys()]);
    } finally {
      await database.orm.close(true);
    }
  } finally {
    await postgres?.release();
  }
}

main().catch((error) => {
  const misused = error instanceof UsageError || error?.code?.startsWith('ERR_PARSE_ARGS');
  console.error(misused ? error.message : explain(error));
  process.exitCode = 1;
});
