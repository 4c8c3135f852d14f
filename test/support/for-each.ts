/** Does something for each item, a few at a time. */
export async function forEachConcurrently<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<void>,
  atOnce = 8,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of queue) await act(item);
    }),
  );
}

/** Does something so many times, by a number from 0 on, a hundred at a time. */
export async function repeatConcurrently<Result>(
  times: number,
  act: (n: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const one = async (n: number) => void results.push(await act(n));
  await forEachConcurrently([...Array(times).keys()], one, 100);
  return results;
}
