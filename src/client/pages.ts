import type { CallOptions } from './client.ts';

/** Each page of a list, as it is asked for: `for await (const { events } of pages(footfall.listEvents, { limit: 100 }))`. */
export async function* pages<Arguments extends object | undefined, Page extends { next_cursor: string | null }>(
  list: (args: Arguments, options?: CallOptions) => Promise<Page>,
  args: NonNullable<Arguments>,
  options?: CallOptions,
): AsyncGenerator<Page, void> {
  let next: Arguments | undefined = args;
  while (next) {
    const page: Page = await list(next, options);
    yield page;
    next = page.next_cursor === null ? undefined : { ...args, cursor: page.next_cursor };
  }
}
