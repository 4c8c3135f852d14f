import type { Context } from 'liquidjs';
import { BOUNDS, TooLarge } from './bounds.ts';

/** How values are written. */
export interface Formats {
  locale: string;
  timeZone: string;
  /** RFC 3339: what `now` means. */
  now: string;
}

/** What goes on while a text is made. */
export interface Rendering {
  formats: Formats;
  rounds: number;
  /** Returns what a link of a number leads to. */
  link: ((number: number, url: string) => string) | undefined;
  /** Numbers whose links are left as they are. */
  untracked: ReadonlySet<number>;
  links: { number: number; url: string }[];
}

/** Templates see the scopes of a context, and not its registers. */
const REGISTER = 'rendering';

export function setRendering(context: Context, rendering: Rendering): void {
  context.setRegister(REGISTER, rendering);
}

export function renderingOf(context: Context): Rendering {
  return context.getRegister(REGISTER) as Rendering;
}

/** Collects what is printed. */
export class BoundedOutput {
  buffer = '';
  readonly #most: number;

  constructor(most: number = BOUNDS.output) {
    this.#most = most;
  }

  write(text: unknown): void {
    this.buffer += String(text);
    if (this.buffer.length > this.#most) throw new TooLarge(`The text is longer than ${this.#most} characters`);
  }
}
