/** Milliseconds for all of it, and characters of what is read. */
const [MAX_MS, MAX_LENGTH] = [5_000, 64 * 1024];

/** Gets a text from a server that is known. Rejects for anything but a 200, after five seconds, and for more than 64 KB. */
export async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(MAX_MS) });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`${new URL(url).hostname} answers with ${response.status}`);
  }
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_LENGTH) throw new Error(`${new URL(url).hostname} answers with too much`);
  }
  return text;
}
