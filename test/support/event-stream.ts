import { expect } from 'chai';
import { until } from './process.ts';
import { loadSpec } from './spec.ts';

export interface Message {
  id: string;
  /** `event`, `rejection`, `segment_change` or `reset`. */
  type: string;
  data: any;
}

/** A client of `GET /v1/events/stream`: collects what comes. */
export class EventStream {
  readonly messages: Message[] = [];
  /** The id that it would resume from. */
  lastId = '';
  comments = 0;
  hasEnded = false;
  readonly #abort = new AbortController();

  private constructor() {}

  /** Opens it; everything of some types that is stored from then on comes. */
  static async open(url: string, key: string, lastId?: string, types?: string): Promise<EventStream> {
    const stream = new EventStream();
    const headers = { Authorization: `Bearer ${key}`, ...(lastId ? { 'Last-Event-ID': lastId } : {}) };
    const response = await fetch(`${url}/v1/events/stream${types ? `?types=${types}` : ''}`, {
      headers,
      signal: stream.#abort.signal,
    });
    const { status } = response;
    const answer = { status, headers: Object.fromEntries(response.headers), body: '' };
    expect((await loadSpec('native')).problems('streamEvents', answer)).to.deep.equal([]);
    expect([status, answer.headers['content-type']]).to.deep.equal([200, 'text/event-stream']);
    void stream.#read(response.body as ReadableStream<Uint8Array>);
    await until(() => stream.lastId !== '', 'the stream has begun');
    return stream;
  }

  /** The ids of the events that came. */
  get eventIds(): string[] {
    return this.messages.filter(({ type }) => type === 'event').map(({ data }) => data.id);
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = '';
    try {
      for await (const text of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() as string;
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // Closed on either side.
    }
    this.hasEnded = true;
  }

  #take(block: string): void {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line)?.slice(1) ?? []);
    const { id = '', event: type = '', data } = Object.fromEntries(fields);
    this.lastId = id;
    if (data === undefined) this.comments += 1;
    else this.messages.push({ id, type, data: JSON.parse(data) });
  }
}
