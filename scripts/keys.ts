/**
 * Manages API keys from the shell, whether or not the service is running:
 *
 *   npm run -s keys -- create --name N --scopes a,b [--tier standard] [--store S] [--expires-at T] [--json]
 *   npm run -s keys -- list [--store S] [--json]
 *   npm run -s keys -- revoke <id>
 *   npm run -s keys -- set-tier <id> <tier>
 */
import { parseArgs } from 'node:util';
import { exitWithHelpIfAsked } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import type { ApiKeyRecord } from '../src/db/entities/api-key.ts';
import { migrate } from '../src/db/migrate.ts';
import { type OrmDatabase, openOrm } from '../src/db/orm.ts';
import { ApiKeys } from '../src/domain/api-keys/api-keys.ts';
import { printable } from '../src/domain/printable.ts';
import { ensureStore, findStore, storeNames } from '../src/domain/stores.ts';
import { DEFAULT_STORE, withPostgres } from '../src/storage.ts';
import {
  checkName,
  checkTier,
  expectPositionals,
  HELP,
  toExpiry,
  toId,
  toScopes,
  USAGE,
  UsageError,
} from './keys/arguments.ts';
import { auditCommand } from './keys/audit-command.ts';
import { runCommand } from './keys/run-command.ts';
import { toTable } from './keys/table.ts';

interface Options {
  name?: string;
  scopes?: string;
  tier?: string;
  store?: string;
  'expires-at'?: string;
  json?: boolean;
}

/** Maximum characters of the names of keys and stores in the native spec. */
const MAX_NAME = 100;
const MAX_STORE_NAME = 255;

interface Input {
  positionals: string[];
  options: Options;
  /** The configured tiers. */
  tiers: string[];
}

/** Checks its arguments before a database is opened, and returns what to do with it. */
type Command = (input: Input) => (database: OrmDatabase) => Promise<void>;

const commands: Record<string, Command> = {
  create({ positionals, options, tiers }) {
    expectPositionals(positionals, 0);
    const { name = '', tier = 'standard', store = DEFAULT_STORE } = options;
    if (name.trim() === '') throw new UsageError('--name is required');
    if (store.trim() === '') throw new UsageError('--store must have a name');
    checkName('--name', name, MAX_NAME);
    checkName('--store', store, MAX_STORE_NAME);
    checkTier(tier, tiers);
    const [scopes, expiresAt] = [toScopes(options.scopes), toExpiry(options['expires-at'])];
    return async (database) => {
      const storeId = await ensureStore(database, store);
      const { record, key } = await auditCommand(
        database,
        { operation: 'keys create', storeId, fields: Object.keys(options).filter((option) => option !== 'json') },
        () => new ApiKeys(database).create({ storeId, name, scopes, tier, expiresAt }),
        (created) => created.record.id,
      );
      const created = { id: record.id, key };
      const once = record.publicKey === null ? '   (shown only this once)' : '';
      console.log(options.json ? JSON.stringify(created) : `id   ${record.id}\nkey  ${key}${once}`);
    };
  },

  list({ positionals, options: { store, json } }) {
    expectPositionals(positionals, 0);
    return async (database) => {
      const storeId = store === undefined ? undefined : await findStore(database, store);
      if (store !== undefined && storeId === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
      const names = await storeNames(database);
      const listed = (await new ApiKeys(database).list(storeId)).map((record) => toListed(record, names));
      if (json) for (const one of listed) console.log(printable(JSON.stringify(one)));
      else
        console.log(
          listed.length === 0
            ? 'There are no keys'
            : toTable(listed.map(({ store_id, public_key, ...shown }) => shown)),
        );
    };
  },

  revoke({ positionals }) {
    expectPositionals(positionals, 1);
    const id = toId(positionals[0]);
    return async (database) => {
      const storeId = await storeOfKey(database, id);
      await auditCommand(database, { operation: 'keys revoke', storeId, target: id }, () =>
        new ApiKeys(database).revoke(id),
      );
    };
  },

  'set-tier'({ positionals, tiers }) {
    expectPositionals(positionals, 2);
    const [id, tier = ''] = [toId(positionals[0]), positionals[1]];
    checkTier(tier, tiers);
    return async (database) => {
      const storeId = await storeOfKey(database, id);
      await auditCommand(database, { operation: 'keys set-tier', storeId, target: id, fields: ['tier'] }, () =>
        new ApiKeys(database).setTier(id, tier),
      );
    };
  },
};

async function storeOfKey(database: OrmDatabase, id: string): Promise<string> {
  const storeId = await new ApiKeys(database).findStoreOf(id);
  if (storeId === undefined) throw new UsageError(`There is no key ${id}`);
  return storeId;
}

function toListed(record: ApiKeyRecord, storeNames: Map<string, string>) {
  const { id, name, storeId, scopes, publicKey, tier, createdAt, lastUsedAt, expiresAt, revokedAt } = record;
  return {
    id,
    name,
    store: storeNames.get(storeId) ?? null,
    store_id: storeId,
    scopes: scopes.join(','),
    public_key: publicKey,
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
  const [name = '', ...others] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(USAGE);

  const config = readConfig(process.env);
  const perform = command({ positionals: others, options: values, tiers: [...config.rateLimitTiers.keys()] });
  await withPostgres(config, async (url) => {
    const database = await openOrm(await migrate(url), 2);
    try {
      await perform(database);
    } finally {
      await database.close();
    }
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
