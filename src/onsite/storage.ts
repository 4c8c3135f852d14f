/** What is stored here lasts as long as the page, for pages that may not store anything in the browser. */
const memory: Record<string, string> = {};

/** Returns what was saved under a name, or null. It may be anything: other scripts of the page can change it. */
export function load(name: string): unknown {
  let text: string | null = null;
  try {
    text = localStorage.getItem(name);
  } catch {
    // The page may not use it.
  }
  try {
    return JSON.parse(text ?? memory[name] ?? 'null');
  } catch {
    return null;
  }
}

export function save(name: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(name, text);
  } catch {
    memory[name] = text;
  }
}

export function remove(name: string): void {
  delete memory[name];
  try {
    localStorage.removeItem(name);
  } catch {
    // The page may not use it.
  }
}
