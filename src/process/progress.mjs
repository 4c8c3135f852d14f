/** Milliseconds between two lines; on a terminal it is one line, which changes. */
const [TERMINAL_MS, LINE_MS] = [500, 10_000];

/**
 * Does some work that somebody waits for, and says so on stderr while it does it, and how long it took: stdout may be
 * parsed. `state` says how far it is. Installing needs it, on whatever Node the machine has, so it is plain JavaScript.
 */
export async function withProgress(what, work, state = () => '') {
  const { stderr } = process;
  const start = performance.now();
  const duration = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  const say = (...parts) => {
    const text = `${what}: ${parts.filter((part) => part !== '').join(', ')}`;
    stderr.write(stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  };
  const sayMore = () => say(state(), duration());
  stderr.write(`${what}…${stderr.isTTY ? '' : '\n'}`);
  const timer = setInterval(sayMore, stderr.isTTY ? TERMINAL_MS : LINE_MS);
  try {
    const result = await work();
    say(state(), `done in ${duration()}`);
    return result;
  } finally {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write('\n');
  }
}
