import { expect } from 'chai';

/** One line of `/metrics`. */
interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** What `/metrics` said. */
export class Metrics {
  readonly text: string;
  readonly #samples: readonly Sample[];

  private constructor(text: string) {
    this.text = text;
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.#samples = lines.map(parse);
  }

  /** Asks the service at a URL, over a connection of its own: any process of it may answer. */
  static async of(url: string): Promise<Metrics> {
    const response = await fetch(`${url}/metrics`, { headers: { Connection: 'close' } });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    return new Metrics(text);
  }

  /** The sum of all with such a name and, among others, such labels; undefined where there is none. */
  sum(name: string, labels: Record<string, string> = {}): number | undefined {
    const found = this.#samples.filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }

  /** Each combination of a name and labels. */
  get series(): string[] {
    return this.#samples.map(({ name, labels }) => `${name}${JSON.stringify(labels)}`);
  }
}

function parse(line: string): Sample {
  const [, name, labels = '', value] = /^([a-z0-9_]+)(?:\{([^}]*)\})? (\S+)$/.exec(line) ?? [];
  if (!name || !value) throw new Error(`Not a line of Prometheus's format: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
