import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ImportColumn, SegmentDefinitionInput } from '../../src/client/index.ts';
import type { Customer } from './customers.ts';
import type { Filling } from './filling.ts';

/** Milliseconds between two looks at what is worked out, and how often: where that takes longer, it goes on by itself. */
const LOOK_MS = 200;
const LOOKS = 50;
/** Members that one request may add. */
const AT_ONCE = 1_000;

export interface Audiences {
  lists: number;
  segments: number;
  /** The id of the list of a newsletter, and who is in it. */
  newsletter: string;
  readers: readonly Customer[];
}

/**
 * Makes lists, one of them of a file with rows that can't be written, and segments: most are live, the last is still being
 * built. An import waits to be started.
 */
export async function makeAudiences(
  client: Client,
  customers: readonly Customer[],
  filling: Filling,
): Promise<Audiences> {
  const createList = (name: string, others: { source_id?: string } = {}) =>
    client.createList({ name, ...others, ...filling.once(`list ${name}`) });
  const createSegment = async (name: string, definition: SegmentDefinitionInput) =>
    (await client.createSegment({ name, definition, ...filling.once(`segment ${name}`) })).id;
  const newsletter = await createList('Newsletter', { source_id: 'NEWSL1' });
  const { id: fair } = await createList('Trade fair, spring');
  await createList('Testers of the new shop');
  const readers = customers.filter((customer) => customer.newsletter).slice(0, AT_ONCE);
  await client.addListMembers({
    id: newsletter.id,
    members: readers.map(({ external_id }) => ({ external_id })),
    source: 'sign-up form',
  });
  await importVisitors(client, fair, customers.slice(100, 140), filling);
  const waiting = { name: 'customers-of-the-old-shop.csv', list_ids: [newsletter.id] };
  await client.createImport({ ...waiting, ...filling.once('import of the old shop') });

  const definitions = definitionsOf(newsletter.id);
  const made: string[] = [];
  for (const [name, definition] of definitions) made.push(await createSegment(name, definition));
  await lookUntil(async () => {
    const { segments } = await client.listSegments({ limit: 100 });
    return segments.every(({ id, status }) => !made.includes(id) || status === 'live');
  });
  const [, lapsed] = made;
  const atRisk = { all: [{ segment: lapsed as string }, { identifier: 'phone' as const, op: 'exists' as const }] };
  await createSegment('Lapsed, and can be called', atRisk);
  return { lists: 3, segments: definitions.length + 1, newsletter: newsletter.id, readers };
}

function definitionsOf(listId: string): [name: string, SegmentDefinitionInput][] {
  const zone = { calendar: true, time_zone: 'Europe/Berlin' };
  return [
    [
      'Spent 200 in a month',
      {
        did: {
          event_type: 'placed_order',
          sum: { property: 'value', op: 'gte', value: 200 },
          window: { last: 'P30D' },
        },
      },
    ],
    [
      'Lapsed customers',
      {
        all: [
          { did: { event_type: 'placed_order', window: { ago: { min: 'P30D', max: 'P90D' } } } },
          { not: { did: { event_type: 'placed_order', window: { last: 'P30D' } } } },
        ],
      },
    ],
    [
      'Gold or silver, and reads us',
      { all: [{ attribute: 'loyalty_tier', op: 'in', value: ['gold', 'silver'] }, { list: listId }] },
    ],
    [
      'Looked around this week',
      { did: { event_type: 'viewed_product', at_least: 3, window: { last: 'P7D', ...zone }, from_client: true } },
    ],
  ];
}

/** Two of its rows have no address. */
async function importVisitors(
  client: Client,
  listId: string,
  visitors: readonly Customer[],
  filling: Filling,
): Promise<void> {
  const rows = visitors.map(
    ({ email, first_name }, n) => `${n % 20 === 7 ? 'not readable' : email},${first_name},B${n}`,
  );
  const input = { name: 'trade-fair.csv', list_ids: [listId] };
  const { id, status } = await client.createImport({ ...input, ...filling.once('import of the fair') });
  if (status === 'open') {
    await client.putImportPart({ id, number: '1', text: `E-mail,First name,Stand\n${rows.join('\n')}\n` });
    const { mapping } = await client.previewImport({ id });
    await client.startImport({ id, mapping: mapping as ImportColumn[] });
  }
  await lookUntil(async () => (await client.getImport({ id })).ended_at !== null);
}

async function lookUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < LOOKS && !(await isSo()); looks += 1) await sleep(LOOK_MS);
}
