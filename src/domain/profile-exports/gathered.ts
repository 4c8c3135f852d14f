/** Characters that are gathered before they are passed on. */
const CHUNK = 64 * 1024;

/** Joins short texts, each of which would cost as much as a long one. */
export async function* gathered(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK) continue;
    yield waiting;
    waiting = '';
  }
  if (waiting !== '') yield waiting;
}
