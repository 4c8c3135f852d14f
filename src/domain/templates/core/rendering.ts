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
  /** Characters that filters may still go through; by default any. */
  work?: { left: number };
}

/** Templates see the scopes of a context, and not its registers. */
const REGISTER = 'rendering';

export function setRendering(context: Context, rendering: Rendering): void {
  context.setRegister(REGISTER, rendering);
}

export function renderingOf(context: Context): Rendering {
  return context.getRegister(REGISTER) as Rendering;
}

/** Throws `TooLarge` where filters have gone through more than they may. */
export function countWork(context: Context, value: unknown, args: readonly unknown[]): void {
  const { work } = renderingOf(context);
  if (!work) return;
  work.left -= lengthOf(value) + args.reduce<number>((sum, one) => sum + lengthOf(one), 0);
  if (work.left < 0) throw new TooLarge('The filters go through too much text');
}

/** About the characters of a value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 1);
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
