/** Characters that are gathered before they are passed on, and milliseconds after which fewer are. */
const [CHUNK, PATIENCE_MS] = [64 * 1024, 500];

/**
 * Joins short texts, each of which would cost as much as a long one. Those for which much has to be looked through are passed on in
 * time: whoever waits for them must not think that nothing comes.
 */
export async function* gathered(texts: AsyncIterable<string>, patienceMs = PATIENCE_MS): AsyncGenerator<string> {
  let waiting = '';
  let since = performance.now();
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK && (waiting === '' || performance.now() - since < patienceMs)) continue;
    yield waiting;
    waiting = '';
    since = performance.now();
  }
  if (waiting !== '') yield waiting;
}
