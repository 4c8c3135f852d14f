import type { Arguments, Client } from '../../../../client/index.ts';

/** Replays all deliveries that fit, however many requests that takes. Returns how many there were. */
export async function replayAll(
  client: Client,
  which: Arguments<'replayWebhookDeliveries'>,
  onProgress: (replayed: number) => void = () => {},
): Promise<number> {
  let total = 0;
  for (;;) {
    const { replayed, is_more } = await client.replayWebhookDeliveries(which);
    total += replayed;
    onProgress(total);
    if (!is_more) return total;
  }
}
