import { type CallOptions, type Client, type KnownIdentifiers, pages } from '../../../client/index.ts';
import { patientClient } from '../../api/client.tsx';
import type { CsvFile } from '../../components/csv-file.ts';

/** What identifies customers, by the names that an import takes for it. */
const IDENTIFIERS = ['email', 'phone', 'external_id'] as const;
/** Members of a page, and profiles that one request may ask for. */
const AT_ONCE = 100;

type Member<Column extends string> = { profile_id: string } & Record<Column, string | null>;

/** All members of a list or a segment as a file, with what identifies them. */
export function membersFile<Column extends string>(
  name: string,
  columns: readonly Column[],
  read: (client: Client, limit: number, options: CallOptions) => AsyncIterable<{ members: readonly Member<Column>[] }>,
): CsvFile {
  return {
    name: `${name}.csv`,
    header: ['profile_id', ...IDENTIFIERS, ...columns],
    async *rows(signal) {
      const client = patientClient();
      for await (const { members } of read(client, AT_ONCE, { signal })) {
        const ids = members.map(({ profile_id }) => profile_id);
        const known = await readIdentifiers(client, ids, signal);
        for (const member of members) {
          const own = known.get(member.profile_id);
          yield [
            member.profile_id,
            ...IDENTIFIERS.map((kind) => own?.[kind] ?? null),
            ...columns.map((column) => member[column]),
          ];
        }
      }
    },
  };
}

/** By the ids of the profiles, of which there are no more than one request may ask for. */
async function readIdentifiers(
  client: Client,
  ids: string[],
  signal: AbortSignal,
): Promise<Map<string, KnownIdentifiers>> {
  const known = new Map<string, KnownIdentifiers>();
  // Without ids, it would be all of the store.
  if (ids.length === 0) return known;
  // More than one page, where customers have large attributes.
  for await (const { profiles } of pages(client.listProfiles, { ids, limit: AT_ONCE }, { signal })) {
    for (const { id, identifiers } of profiles) known.set(id, identifiers);
  }
  return known;
}
