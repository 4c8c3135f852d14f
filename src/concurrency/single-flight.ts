/** Some work that is done once for all who ask while it is under way, and for so many milliseconds after that. */
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
