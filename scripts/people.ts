/**
 * Lets people in from the shell, whether or not the service is running:
 *
 *   npm run -s people -- invite --owner [--store S] [--json]
 *   npm run -s people -- links [--json]
 *   npm run -s people -- revoke --link ID
 *   npm run -s people -- reset --email E [--second-factor] [--json]
 */
import { parseArgs } from 'node:util';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { linkBaseOf, readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { type OrmDatabase, openOrm } from '../src/db/orm.ts';
import { inviteOwner, listOwnerLinks, revokeOwnerLink, setupLink } from '../src/domain/people/invitations.ts';
import { resetLink, resetPasswordOf, resetSecondFactorOf } from '../src/domain/people/password-resets.ts';
import { inEachStore, storesOf } from '../src/domain/people/stores-of-person.ts';
import { printable } from '../src/domain/printable.ts';
import { findStore } from '../src/domain/stores.ts';
import { DEFAULT_STORE, withPostgres } from '../src/storage.ts';
import { UsageError } from './keys/arguments.ts';
import { auditCommand } from './keys/audit-command.ts';
import { runCommand } from './keys/run-command.ts';

const CALL = callOf('people');
const USAGE = `Usage: ${CALL} invite --owner [--store S] [--json]
       ${CALL} links [--json]
       ${CALL} revoke --link ID
       ${CALL} reset --email E [--second-factor] [--json]`;
const HELP = `Lets people in, with the service running or not. PUBLIC_URL is where links lead.

invite  prints a link by which whoever opens it becomes an owner of a store, once, within 24 hours
links   lists those links that are open, by their ids
revoke  has such a link lead nowhere any more
reset   prints a link by which the person with an e-mail address chooses a new password, once, within an hour;
        with --second-factor, it takes the second factor from the person instead
${USAGE}`;

interface Values {
  owner?: boolean | undefined;
  store?: string | undefined;
  email?: string | undefined;
  link?: string | undefined;
  'second-factor'?: boolean | undefined;
  json?: boolean | undefined;
}

/** Each returns what is printed: as JSON, and for people. */
const COMMANDS: Record<string, (database: OrmDatabase, base: string, values: Values) => Promise<[unknown, string]>> = {
  async invite(database, base, { owner, store = DEFAULT_STORE }) {
    if (!owner) throw new UsageError(USAGE);
    const storeId = await findStore(database, store);
    if (storeId === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
    const audited = { operation: 'people invite', storeId, fields: ['owner'] };
    const link = setupLink(base, await auditCommand(database, audited, () => inviteOwner(database.sql, storeId)));
    return [{ link }, link];
  },
  async links(database) {
    const links = (await listOwnerLinks(database.sql)).map(({ id, store, expiresAt }) => ({ id, store, expiresAt }));
    const lines = links.map(({ id, store, expiresAt }) => `${id}  ${printable(store)}  until ${expiresAt}`);
    return [{ links }, lines.length > 0 ? lines.join('\n') : 'No link is open'];
  },
  async revoke(database, _base, { link }) {
    if (link === undefined) throw new UsageError(USAGE);
    const open = (await listOwnerLinks(database.sql)).find(({ id }) => id === link);
    if (!open) throw new UsageError('There is no such open link');
    const command = { operation: 'people revoke', storeId: open.storeId, target: link };
    await auditCommand(database, command, () => revokeOwnerLink(database.sql, open));
    return [{ revoked: link }, 'Revoked'];
  },
  async reset(database, base, { email, 'second-factor': isFactor }) {
    if (email === undefined) throw new UsageError(USAGE);
    const nobody = () => new UsageError(`Nobody has the e-mail address "${printable(email)}"`);
    if (isFactor) {
      const reset = () => resetSecondFactorOf(database.sql, email);
      if (!(await auditInStores(database, { email, fields: ['second-factor'] }, reset))) throw nobody();
      return [{ second_factor: false }, 'The person signs in with the password alone, until they set up another'];
    }
    const made = await auditInStores(database, { email, fields: ['password'] }, () =>
      resetPasswordOf(database.sql, email),
    );
    if (!made) throw nobody();
    const link = resetLink(base, made.token);
    return [{ link, expires_at: made.expiresAt }, link];
  },
};

/** Resets something of a person, of which each of their stores has an entry. */
async function auditInStores<Result>(
  database: OrmDatabase,
  { email, fields }: { email: string; fields: readonly string[] },
  reset: () => Promise<Result>,
): Promise<Result> {
  const stores = await storesOf(database.sql, { email });
  return await inEachStore(
    stores,
    ({ storeId, personId }, next) =>
      auditCommand(database, { operation: 'people reset', storeId, target: personId, fields }, next),
    reset,
  );
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ owner: { type: 'boolean' }, store: { type: 'string' }, email: { type: 'string' }, link: { type: 'string' } },
      ...{ 'second-factor': { type: 'boolean' }, json: { type: 'boolean' } },
    },
  });
  const [name = '', ...more] = positionals;
  const command = Object.hasOwn(COMMANDS, name) && more.length === 0 ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(USAGE);
  const config = readConfig(process.env);
  await withPostgres(config, async (url) => {
    const database = await openOrm(await migrate(url), 2);
    try {
      const [json, text] = await command(database, linkBaseOf(config), values);
      console.log(values.json ? JSON.stringify(json) : text);
    } finally {
      await database.close();
    }
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
