import { parseArgs } from 'node:util';
import type { ImportColumn, ImportConsent, ImportInput } from '../../generated/native/types.gen.ts';
import { callOf } from '../../src/command/help.ts';
import { UsageError } from '../keys/arguments.ts';

const CALL = callOf('import');

export const HELP = `Imports customers from a CSV file, or a catalog, into a store of a running service, each row once. What is interrupted goes on with the same command.
Usage: ${CALL} <file> [options]
  --list L              a list that each customer joins, by its id or its name; up to ten times
  --map COLUMN=TARGET   what becomes of a column: email, phone, external_id, source_id, or an attribute, perhaps with
                        its type, as points:number; text, number, boolean, date_ymd, date_dmy or date_mdy. Or what it
                        says of each customer's consent, as consent:email_status; also email_changed_at (perhaps
                        with the order of its dates, as consent:email_changed_at:date_dmy), email_source,
                        email_suppressed, and the same of sms. COLUMN= leaves it out. Other columns become what they
                        look like
  --consent CHANNELS    all have subscribed to email, sms or email,sms; needs --consented-at
  --consented-at T      when they did, as 2026-03-01T00:00:00Z; whoever has left since stays away
  --consent-source S    where they did
  --backfill            the file is history: no automation starts with what it changes
  --delimiter D         what is between values: , ; | or tab; by default what the first line has most of
  --encoding E          such as windows-1250; by default UTF-8 or UTF-16, as the file looks, and else windows-1252
  --errors FILE         where rows that can't be written are listed; by default <file>.errors.csv
  --again WORD          imports a file that was imported before; another word each time
  --dry-run             shows what would be written, and writes nothing
  --catalog             the file has what the store sells: CSV, TSV, JSON lines, a JSON array, or Google's RSS or Atom. The key
                        needs catalog:write; of the options, only these, --errors and --backfill are for it
  --currency C          of prices without one, as EUR
  --full                the file has all that the store sells: items that are not in it are hidden, once all of it is read;
                        the key needs catalog:read, too
  --hide-missing        with --full: also where that is more than 30 % of the items, and more than 20
FOOTFALL_URL is the address of the service, by default http://127.0.0.1:3000. FOOTFALL_KEY is an API key with the scopes
audiences:write, audiences:read, profiles:write and profiles:read. Ends with 0 if all rows were written, with 2 if some
could not be, and with 1 if it did not come to that.`;

const CHANNELS = ['email', 'sms'];
const IDENTIFIERS = ['email', 'phone', 'external_id', 'source_id'] as const;
const TYPES = ['text', 'number', 'boolean', 'date_ymd', 'date_dmy', 'date_mdy'] as const;
const CONSENT = ['status', 'changed_at', 'source', 'suppressed'].flatMap((part) =>
  (['email', 'sms'] as const).map((channel) => `${channel}_${part}` as NonNullable<ImportColumn['consent']>),
);
const DELIMITERS: Record<string, ImportInput['delimiter']> = { ',': ',', ';': ';', '|': '|', tab: '\t', '\t': '\t' };

export interface Arguments {
  file: string;
  /** What the store sells, in place of customers. */
  isCatalog: boolean;
  currency: string | undefined;
  isFull: boolean;
  /** However many items the file does not have. */
  hidesMissing: boolean;
  lists: string[];
  /** By the name of the column; null leaves it out. */
  columns: Map<string, ImportColumn | null>;
  consent: ImportConsent | undefined;
  isBackfill: boolean;
  delimiter: ImportInput['delimiter'];
  encoding: string | undefined;
  errors: string;
  again: string | undefined;
  isDryRun: boolean;
  url: string;
  key: string;
}

/** Throws a `UsageError` for what can't be. */
export function readArguments(env: NodeJS.ProcessEnv): Arguments {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'string', multiple: true, default: [] },
      map: { type: 'string', multiple: true, default: [] },
      consent: { type: 'string' },
      'consented-at': { type: 'string' },
      'consent-source': { type: 'string' },
      backfill: { type: 'boolean', default: false },
      delimiter: { type: 'string' },
      encoding: { type: 'string' },
      errors: { type: 'string' },
      again: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      catalog: { type: 'boolean', default: false },
      currency: { type: 'string' },
      full: { type: 'boolean', default: false },
      'hide-missing': { type: 'boolean', default: false },
    },
  });
  if (values['hide-missing'] && !values.full) throw new UsageError('--hide-missing needs --full');
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError(`Which file? For example: ${CALL} customers.csv`);
  const { delimiter } = values;
  if (delimiter !== undefined && !Object.hasOwn(DELIMITERS, delimiter)) {
    throw new UsageError('--delimiter must be one of , ; | and tab');
  }
  const key = env.FOOTFALL_KEY?.trim() ?? '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('FOOTFALL_KEY must be an API key of the store');
  const url = env.FOOTFALL_URL?.trim() || 'http://127.0.0.1:3000';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new UsageError('FOOTFALL_URL must be the address of the service, as http://127.0.0.1:3000');
  }
  if (values.currency !== undefined && !/^[A-Z]{3}$/.test(values.currency)) {
    throw new UsageError('--currency must be a code of ISO 4217, as EUR');
  }
  return {
    file,
    isCatalog: values.catalog,
    currency: values.currency,
    isFull: values.full,
    hidesMissing: values['hide-missing'],
    lists: values.list,
    columns: new Map(values.map.map(toColumn)),
    consent: toConsent(values.consent, values['consented-at'], values['consent-source']),
    isBackfill: values.backfill,
    delimiter: delimiter === undefined ? undefined : DELIMITERS[delimiter],
    encoding: values.encoding,
    errors: values.errors ?? `${file}.errors.csv`,
    again: values.again,
    isDryRun: values['dry-run'],
    url,
    key,
  };
}

/** `Points=points:number`; the name of a column may have an equals sign. */
function toColumn(text: string): [string, ImportColumn | null] {
  const at = text.lastIndexOf('=');
  const [column, target] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 0 || column === '') throw new UsageError('--map must be COLUMN=TARGET, as "E-mail=email"');
  if (target === '') return [column, null];
  const identifier = IDENTIFIERS.find((one) => one === target);
  if (identifier) return [column, { column, identifier }];
  const [, part, order] = /^consent:(\w+)(?::(\w+))?$/.exec(target) ?? [];
  if (part !== undefined) {
    const consent = CONSENT.find((one) => one === part);
    if (!consent) throw new UsageError(`What a column says of consent is one of ${CONSENT.join(', ')}`);
    return [column, { column, consent, ...typeOf(order) }];
  }
  const [, attribute = target, word] = /^(.+):(\w+)$/.exec(target) ?? [];
  return [column, { column, attribute, ...typeOf(word) }];
}

function typeOf(word: string | undefined): { type?: (typeof TYPES)[number] } {
  const type = TYPES.find((one) => one === word);
  if (word !== undefined && !type) throw new UsageError(`The type of an attribute is one of ${TYPES.join(', ')}`);
  return type ? { type } : {};
}

function toConsent(channels: string | undefined, at: string | undefined, source: string | undefined) {
  if (channels === undefined) {
    if (at !== undefined || source !== undefined)
      throw new UsageError('--consented-at and --consent-source need --consent');
    return undefined;
  }
  if (at === undefined) throw new UsageError('--consent needs --consented-at: when they have agreed');
  const named = channels.split(',').map((one) => one.trim());
  if (named.some((one) => !CHANNELS.includes(one))) throw new UsageError('--consent must be email, sms or email,sms');
  const consent: ImportConsent = { changed_at: at, ...(source !== undefined && { source }) };
  for (const channel of named as ('email' | 'sms')[]) consent[channel] = 'subscribed';
  return consent;
}
