import type { Batch } from './batch.ts';
import { type Identifiers, identifiers, unlearn } from './visitor.ts';

/** Where an error points. */
const REFUSED_IDENTIFIER = /"pointer":"[^"]*\/(external_id|email|phone_number)"/;

/** Returns what to send in place of a batch that the service has refused. */
export async function remedy(batch: Batch, response: Response): Promise<Batch[]> {
  const text = await response.text().catch(() => '');
  const name = REFUSED_IDENTIFIER.exec(text)?.[1] as keyof Identifiers | undefined;
  const value = name && batch.who[name];
  if (name && value !== undefined) {
    // Nothing of this visitor would be accepted ever again.
    unlearn(name, value);
    const { [name]: _, ...others } = batch.who;
    return [{ ...batch, who: Object.keys(others).length > 0 ? others : identifiers() }];
  }
  if (batch.events.length < 2) return [];
  // One bad event is no reason to lose the others.
  return batch.events.map((event, index) => ({ ...batch, attributes: index ? {} : batch.attributes, events: [event] }));
}
