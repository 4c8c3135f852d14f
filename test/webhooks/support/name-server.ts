import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const [A, AAAA] = [1, 28];
const HEADER = 12;

/** A name server that answers what the test says; `undefined` is no answer at all. */
export class NameServer implements AsyncDisposable {
  /** Names that it has been asked for the IPv4 addresses of. */
  readonly asked: string[] = [];
  readonly #socket: Socket;

  private constructor(
    socket: Socket,
    addressesOf: (name: string, times: number) => string[] | undefined,
    delayMs: number,
  ) {
    this.#socket = socket;
    socket.on('message', (query, { port, address }) => {
      const { name, type, end } = readQuestion(query);
      if (type === A) this.asked.push(name);
      const times = this.asked.filter((one) => one === name).length;
      const found = addressesOf(name, times);
      if (!found) return;
      const send = () => socket.send(answer(query, end, type === AAAA ? [] : found), port, address);
      if (delayMs > 0) setTimeout(send, delayMs);
      else send();
    });
  }

  static async start(
    addressesOf: (name: string, times: number) => string[] | undefined,
    delayMs = 0,
  ): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, addressesOf, delayMs);
  }

  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answer(query: Buffer, end: number, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  // No authorities and no additional records, though the query may have one.
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, query.subarray(HEADER, end), ...records]);
}
