import { invalid, ServiceError } from '../service-error.ts';
import { Fields, type FoundField, takeBack } from './fields.ts';
import type { Undo } from './value-list.ts';

/** Free-form attributes of a profile. */
export type Attributes = Record<string, unknown>;

/** A change of attributes, applied in the order of its fields. Applying it twice in a row changes nothing more. */
export interface AttributePatch {
  /** Key by key: a value replaces, null removes, absent keys stay. */
  set?: Attributes;
  /** The same one level deeper, for attributes that are objects; an object that becomes empty is removed. */
  merge?: Record<string, Attributes>;
  /** Values that a list must contain; any other value becomes the first item of a list. */
  append?: Record<string, readonly unknown[]>;
  /** Values that a list must not contain; a list that becomes empty stays. */
  unappend?: Record<string, readonly unknown[]>;
  /** Attributes to remove. */
  unset?: readonly string[];
}

/** Maximum attributes of a profile. */
export const MAX_ATTRIBUTES = 400;
/** Maximum length to which appending may grow a list. */
const MAX_LIST = 4_000;
/** Maximum bytes of the attributes, as Postgres prints them. */
export const MAX_ATTRIBUTE_BYTES = 5 * 1024 * 1024;

/** What attributes may grow to by one kind of patch. */
interface Room {
  attributes: number;
  /** As Postgres prints them; `size` in words. */
  bytes: number;
  size: string;
  /** Values of a list that is appended to. */
  list: number;
}

const ROOM: Room = { attributes: MAX_ATTRIBUTES, bytes: MAX_ATTRIBUTE_BYTES, size: '5 MB', list: MAX_LIST };
/** Anybody may send these patches, so they leave room for those of the store. */
const ROOM_OF_UNTRUSTED: Room = { attributes: 100, bytes: 64 * 1024, size: '64 KB', list: 100 };

/**
 * The attributes of a profile while a batch changes them: the cost of a patch depends on its own size, not on theirs.
 */
export class PatchedAttributes {
  readonly #fields: Fields;
  /** The attributes as an object, until the next change. */
  #current: Attributes | undefined;
  /** The last patch and its refusal. The events of a group share one patch, which may be large. */
  #last: { patch: AttributePatch; refusal: ServiceError | undefined } | undefined;

  /** The names of what the last patch changed. */
  #changed: string[] = [];

  /** `bytes`, if known, is the size of the attributes as jsonb prints them. */
  constructor(attributes: Attributes, bytes?: number) {
    this.#fields = new Fields(attributes, bytes);
    this.#current = attributes;
  }

  /**
   * Applies a patch and returns whether it changed anything. Throws `validation_error` and changes nothing if the
   * attributes would become too many or too large.
   */
  apply(patch: AttributePatch): boolean {
    if (this.isLast(patch)) {
      if (this.#last?.refusal) throw this.#last.refusal;
      return false;
    }
    return this.#applyWithin(ROOM, patch);
  }

  /**
   * Applies a patch that anybody may have sent, or leaves all of it out if there is no room for it. What there is already
   * never shows: whoever sent it would learn something of the customer.
   */
  applyIfRoom(patch: AttributePatch): boolean {
    if (this.isLast(patch)) return false;
    try {
      return this.#applyWithin(ROOM_OF_UNTRUSTED, patch);
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  /** Whether a patch was the last one that was applied, so that it would change nothing again. */
  isLast(patch: AttributePatch): boolean {
    return this.#last?.patch === patch;
  }

  /** The names of the attributes that the last patch changed, perhaps back to what they were. */
  get lastChanged(): readonly string[] {
    return this.#changed;
  }

  /** Returns an attribute as it is now; see `Fields.find`. */
  find(name: string, maxBytes: number): FoundField | undefined {
    return this.#fields.find(name, maxBytes);
  }

  #applyWithin(room: Room, patch: AttributePatch): boolean {
    const { size, bytes } = this.#fields;
    const undos: Undo[] = [];
    this.#last = { patch, refusal: undefined };
    this.#changed = [];
    try {
      this.#change(patch, undos, room);
      // Attributes that exceed the room already may shrink.
      if (this.#fields.size > Math.max(size, room.attributes))
        throw tooMuch(['attributes'], `${room.attributes} attributes`);
      if (this.#fields.bytes > Math.max(bytes, room.bytes)) throw tooMuch(['attributes'], room.size);
    } catch (error) {
      takeBack(undos);
      if (error instanceof ServiceError) this.#last.refusal = error;
      throw error;
    }
    if (undos.length > 0) this.#current = undefined;
    return undos.length > 0;
  }

  /** The current attributes; the same object as long as nothing changes. */
  get current(): Attributes {
    this.#current ??= this.#fields.toObject();
    return this.#current;
  }

  #change(
    { set = {}, merge = {}, append = {}, unappend = {}, unset = [] }: AttributePatch,
    undos: Undo[],
    room: Room,
  ): void {
    let before = 0;
    const changed = (key: string) => {
      if (undos.length > before) this.#changed.push(key);
      before = undos.length;
    };
    for (const [key, value] of Object.entries(set)) {
      this.#fields.set(key, value, undos);
      changed(key);
    }
    for (const [key, changes] of Object.entries(merge)) {
      this.#fields.merge(key, changes, undos);
      changed(key);
    }
    for (const [key, values] of Object.entries(append)) {
      this.#checkLength(key, room);
      this.#fields.append(key, values, undos);
      this.#checkLength(key, room);
      changed(key);
    }
    for (const [key, values] of Object.entries(unappend)) {
      this.#fields.unappend(key, values, undos);
      changed(key);
    }
    for (const key of unset) {
      this.#fields.remove(key, undos);
      changed(key);
    }
  }

  #checkLength(key: string, { list }: Room): void {
    if (this.#fields.lengthOf(key) > list) throw tooMuch(['attributes', key], `${list} values`);
  }
}

function tooMuch(path: string[], what: string): ServiceError {
  return invalid({ path, problem: `would end up with more than ${what}` });
}
