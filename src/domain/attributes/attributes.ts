import { invalid, ServiceError } from '../service-error.ts';
import { Fields, takeBack } from './fields.ts';
import type { Undo } from './value-list.ts';

/** Free-form attributes of a profile. */
export type Attributes = Record<string, unknown>;

/** A change of attributes, applied in the order of its fields. To apply it again at once changes nothing. */
export interface AttributePatch {
  /** Key by key: a value replaces, null removes, what is absent stays. */
  set?: Attributes;
  /** The same one level deeper, for attributes that are objects; one that ends up empty is removed. */
  merge?: Record<string, Attributes>;
  /** Values that a list has to contain; a value that is no list becomes the first of one. */
  append?: Record<string, readonly unknown[]>;
  /** Values that a list must not contain; one that ends up empty stays, as an empty list. */
  unappend?: Record<string, readonly unknown[]>;
  /** Attributes to remove. */
  unset?: readonly string[];
}

/** Attributes that a profile may have. */
const MAX_ATTRIBUTES = 400;
/** Values that a list may be made to have by appending to it. */
const MAX_LIST = 4_000;
/** Bytes that the attributes may take, as Postgres prints them. */
export const MAX_ATTRIBUTE_BYTES = 5 * 1024 * 1024;

/** The attributes of a profile while a batch changes them: each patch costs what it says, however much there is. */
export class PatchedAttributes {
  readonly #fields: Fields;
  /** What they are now, as long as nobody changes them. */
  #current: Attributes | undefined;
  /** The last patch, and why it was refused. The events of a group share one, which may say a lot. */
  #last: { patch: AttributePatch; refusal: ServiceError | undefined } | undefined;

  /** `bytes` is what they take as jsonb prints them, where that is known. */
  constructor(attributes: Attributes, bytes?: number) {
    this.#fields = new Fields(attributes, bytes);
    this.#current = attributes;
  }

  /** Whether a patch changes anything. Where it would make them too many or too large, it throws `validation_error`, and changes nothing. */
  apply(patch: AttributePatch): boolean {
    if (this.#last?.patch === patch) {
      if (this.#last.refusal) throw this.#last.refusal;
      return false;
    }
    const before = this.#fields.bytes;
    const undos: Undo[] = [];
    this.#last = { patch, refusal: undefined };
    try {
      this.#change(patch, undos);
      if (this.#fields.size > MAX_ATTRIBUTES) throw tooMuch(['attributes'], `${MAX_ATTRIBUTES} attributes`);
      // One that was larger before there was a bound may become smaller.
      if (this.#fields.bytes > Math.max(before, MAX_ATTRIBUTE_BYTES)) {
        throw tooMuch(['attributes'], '5 MB');
      }
    } catch (error) {
      takeBack(undos);
      if (error instanceof ServiceError) this.#last.refusal = error;
      throw error;
    }
    if (undos.length > 0) this.#current = undefined;
    return undos.length > 0;
  }

  /** The attributes as they are now; the same object as long as nothing changes. */
  get current(): Attributes {
    this.#current ??= this.#fields.toObject();
    return this.#current;
  }

  #change({ set = {}, merge = {}, append = {}, unappend = {}, unset = [] }: AttributePatch, undos: Undo[]): void {
    this.#fields.assign(set, undos);
    for (const [key, changes] of Object.entries(merge)) this.#fields.merge(key, changes, undos);
    for (const [key, values] of Object.entries(append)) {
      this.#checkLength(key);
      this.#fields.append(key, values, undos);
      this.#checkLength(key);
    }
    for (const [key, values] of Object.entries(unappend)) this.#fields.unappend(key, values, undos);
    for (const key of unset) this.#fields.remove(key, undos);
  }

  #checkLength(key: string): void {
    if (this.#fields.lengthOf(key) > MAX_LIST) throw tooMuch(['attributes', key], `${MAX_LIST} values`);
  }
}

function tooMuch(path: string[], what: string): ServiceError {
  return invalid({ path, problem: `would end up with more than ${what}` });
}
