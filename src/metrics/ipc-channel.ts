/** One end of the channel between a process and its leader. */
interface IpcEndpoint {
  send?(message: object, callback: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Message {
  question?: number;
  answer?: number;
  value?: unknown;
}

/**
 * Sends requests to the process at the other end and responds to its own. There is one kind of request in each
 * direction, so it needs no name.
 */
export class IpcChannel<Answer> {
  readonly #end: IpcEndpoint;
  readonly #open = new Map<number, (value: Answer) => void>();
  #asked = 0;

  constructor(end: IpcEndpoint, answer: () => Promise<unknown>) {
    this.#end = end;
    end.on('message', async (message) => {
      const { question, answer: answered, value } = message as Message;
      // The other end copes without a response; a process must not exit because it can't be measured.
      if (question !== undefined) this.#send({ answer: question, value: await answer().catch(() => undefined) });
      if (answered !== undefined) this.#open.get(answered)?.(value as Answer);
    });
  }

  /** Returns undefined if no response arrives within `ms` milliseconds. */
  async ask(ms: number): Promise<Answer | undefined> {
    this.#asked += 1;
    const question = this.#asked;
    let timer: NodeJS.Timeout | undefined;
    const value = await new Promise<Answer | undefined>((resolve) => {
      this.#open.set(question, resolve);
      timer = setTimeout(resolve, ms, undefined);
      this.#send({ question });
    });
    clearTimeout(timer);
    this.#open.delete(question);
    return value;
  }

  #send(message: Message): void {
    // If the other process has exited, the message gets no response.
    this.#end.send?.(message, () => {});
  }
}
