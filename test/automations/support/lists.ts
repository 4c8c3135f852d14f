import type { EngineRoom } from './engine-room.ts';

/** Creates a list of which customers confirm that they subscribe. Returns its id. */
export async function confirmedList({ client }: Pick<EngineRoom, 'client'>): Promise<string> {
  const list = { name: 'Confirmed', opt_in: 'double' };
  return (await client.post('/v1/lists', list, { expect: 201 })).body.id;
}
