import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';

/** Bytes of all replies to one message, or to the set-up. */
const MAX_REPLIES = 32 * 1024;

const { _onData: onData } = SMTPConnection.prototype as unknown as { _onData: (chunk: Buffer) => void };

/**
 * A connection to a server whose replies are bounded. Nodemailer bounds each one, but not how many of them there are: lines
 * without anything in them would wait in memory, as fast as they come.
 */
export class BoundedConnection extends SMTPConnection {
  /** Whether it was ended as the server has sent too much. */
  isFlooded = false;
  #received = 0;

  constructor(options: SMTPConnectionOptions) {
    super({ ...options, maxResponseSize: MAX_REPLIES });
  }

  /** From here on, as much may come again. */
  expectReplies(): void {
    this.#received = 0;
  }

  /** Called by nodemailer with all that comes, before and after it is encrypted. */
  _onData(chunk: Buffer): void {
    this.#received += chunk.length;
    if (this.#received <= MAX_REPLIES) {
      onData.call(this, chunk);
      return;
    }
    this.isFlooded = true;
    this.emit('error', new Error('The server sends more than replies'));
    const socket = this._socket;
    this.close();
    if (socket) socket.destroy();
  }
}
