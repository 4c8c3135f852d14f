import { useSenders } from '../../senders/use-senders.ts';

/** A sender by its name, where the key may see it; else by its id. */
export function SenderName({ id }: { id: string }) {
  return useSenders()?.find((sender) => sender.id === id)?.name ?? id;
}
