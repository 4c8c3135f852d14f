import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const TYPES = { A: 1, MX: 15, TXT: 16 } as const;
const HEADER = 12;
const NO_SUCH_NAME = 3;

/** What is published, by type and name: `A shop.example`, `TXT _dmarc.shop.example`, `MX shop.example`; null: no answer. */
export type Published = Record<string, readonly string[] | null>;

/** A name server that says what a test has published. */
export class DomainServer implements AsyncDisposable {
  published: Published;
  readonly #socket: Socket;

  private constructor(socket: Socket, published: Published) {
    this.#socket = socket;
    this.published = published;
    socket.on('message', (query, { port, address }) => {
      const answered = this.#answer(query);
      if (answered) socket.send(answered, port, address);
    });
  }

  static async start(published: Published = {}): Promise<DomainServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DomainServer(socket, published);
  }

  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = HEADER;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const number = query.readUInt16BE(at + 1);
    const type = Object.entries(TYPES).find(([, one]) => one === number)?.[0] as keyof typeof TYPES | undefined;
    const values = type === undefined ? [] : this.published[`${type} ${name}`];
    if (values === null) return undefined;
    const records = (values ?? []).map((value) => record(type as keyof typeof TYPES, value));
    const header = Buffer.from(query.subarray(0, HEADER));
    header.writeUInt16BE(0x8180 | (records.length === 0 ? NO_SUCH_NAME : 0), 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(HEADER, at + 5), ...records]);
  }
}

function record(type: keyof typeof TYPES, value: string): Buffer {
  const data = dataOf(type, value);
  const head = Buffer.from([0xc0, HEADER, 0, TYPES[type], 0, 1, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: keyof typeof TYPES, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number));
  if (type === 'MX') return Buffer.concat([Buffer.from([0, 10]), nameOf(value)]);
  const parts = value.match(/.{1,255}/gs) ?? [''];
  return Buffer.concat(parts.map((part) => Buffer.concat([Buffer.of(part.length), Buffer.from(part)])));
}

function nameOf(name: string): Buffer {
  const labels = name.split('.').filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0),
  ]);
}
