/** Shares one run of some work among all callers while it is in progress and for `ms` milliseconds after that. */
export function singleFlight<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  const forget = () => {
    result = undefined;
  };
  return () => {
    result ??= work().finally(() => setTimeout(forget, ms).unref());
    return result;
  };
}
