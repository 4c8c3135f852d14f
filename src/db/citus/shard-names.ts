/** Words that may follow a table's name and are not its alias. */
const NO_ALIAS = new Set(
  'where set order group limit offset for on using join inner left right full cross natural union except returning values select default returning having window'.split(
    ' ',
  ),
);

/** Texts split at the names of tables. A service has some hundreds, and those of the definitions of its stores besides. */
const MAX_KNOWN = 2_000;

/** A table that a statement names, with the text before it and what follows so that it keeps its name in the rest. */
interface Named {
  before: string;
  table: string;
  after: string;
}

interface Split {
  named: Named[];
  rest: string;
  writes: boolean;
}

/** Statements as they run on the shards of a table: `from event` becomes `from event_102008 as event`. */
export class ShardNames {
  readonly #pattern: RegExp;
  readonly #known = new Map<string, Split>();

  constructor(tables: Iterable<string>) {
    const names = [...tables].join('|');
    this.#pattern = new RegExp(
      `\\b(from|join|into|update|using)(\\s+)("?)(${names})\\3(?![\\w.])|'(${names})'(?=::regclass)`,
      'g',
    );
  }

  /** Returns the statement with the shards' names. */
  apply(text: string, shardOf: (table: string) => string): string {
    const { named, rest } = this.#split(text);
    let result = '';
    for (const { before, table, after } of named) result += before + shardOf(table) + after;
    return result + rest;
  }

  /** Whether a statement may change or lock rows. */
  writes(text: string): boolean {
    return this.#split(text).writes;
  }

  #split(text: string): Split {
    let split = this.#known.get(text);
    if (!split) {
      split = this.#parse(text);
      // The oldest goes: that of a definition may never come again.
      if (this.#known.size === MAX_KNOWN) this.#known.delete(this.#known.keys().next().value as string);
      this.#known.set(text, split);
    }
    return split;
  }

  #parse(text: string): Split {
    const named: Named[] = [];
    let end = 0;
    for (const match of text.matchAll(this.#pattern)) {
      const [whole, keyword, space, , table, quoted] = match;
      const next = match.index + whole.length;
      const before = text.slice(end, match.index);
      if (quoted !== undefined) named.push({ before: `${before}'`, table: quoted, after: `'` });
      else {
        const alias = hasAlias(text.slice(next, next + 100)) ? '' : ` as "${table}"`;
        named.push({ before: `${before}${keyword}${space}`, table: table as string, after: alias });
      }
      end = next;
    }
    const writes = !/^\s*(?:select|with)\b/i.test(text) || /\b(?:insert\s+into|update|delete\s+from)\b/i.test(text);
    return { named, rest: text.slice(end), writes };
  }
}

function hasAlias(text: string): boolean {
  const [, as, word] = /^\s+(?:(as)\s+)?"?([a-z_]\w*)/i.exec(text) ?? [];
  return word !== undefined && (as !== undefined || !NO_ALIAS.has(word.toLowerCase()));
}
