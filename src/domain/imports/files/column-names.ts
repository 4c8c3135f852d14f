import type { Channel } from '../../consent/consent.ts';

export type ImportIdentifier = 'email' | 'phone' | 'external_id' | 'source_id';

/** What a column may say of the consent for a channel. */
export const CONSENT_PARTS = ['status', 'changed_at', 'source', 'suppressed'] as const;
export type ConsentPart = `${Channel}_${(typeof CONSENT_PARTS)[number]}`;

/** What the name of a column means. */
export interface ColumnName {
  identifier?: ImportIdentifier | undefined;
  /** The attributes that it may become: the one that the same has in any language, and what it says. */
  attributes: string[];
}

/**
 * How spreadsheets in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Swedish, Danish,
 * Norwegian and Finnish call identifiers; without accents, as `plain` writes them.
 */
const IDENTIFIERS: readonly [ImportIdentifier, readonly RegExp[]][] = [
  [
    'email',
    [
      /^(?:(?:customer|user|contact|kunden|kontakt) ?)?(?:e ?mail|mail|e ?post|courriel|correo(?: electronico)?|sahkoposti)$/,
      /^(?:e ?mail|mail|e ?post|sahkoposti) ?(?:address|adresse|adress|adres|cim|osoite)$/,
      /^(?:adresse|direccion|indirizzo|endereco|adres)(?: d[ei])? (?:e ?mail|mail|courriel|messagerie|correo(?: electronico)?|posta elettronica)$/,
    ],
  ],
  [
    'phone',
    [
      /^(?:(?:tele)?phone|mobile|cell)(?: ?(?:number|phone|no))?$/,
      /^(?:tel|tlf|telefon|telefoon|mobil|mobiel|mobiltelefon|mobilfunk|handy|puhelin)(?: ?(?:nummer|numero|nr|no))?$/,
      /^(?:(?:numero(?: d[ei])?|numer) )?(?:telephone|telefono|telefone|telefonu)(?: (?:portable|mobile|movil|celular))?$/,
      /^(?:portable|movil|celular|cellulare|telemovel|rufnummer|komorka|telefon komorkowy|mobilni telefon)$/,
    ],
  ],
  [
    'external_id',
    [
      /^id$|^(?:external|customer|user|client|contact) ?(?:id|number|no)$/,
      /^(?:kunden|kunde|kund|klant) ?(?:id|nummer|nr|no)$/,
      /^(?:id|no|n|numero|codigo|codice|numer)(?: d[eo])? (?:client|cliente|klienta)$/,
    ],
  ],
  ['source_id', [/^(?:source|klaviyo) ?id$/]],
];

const ATTRIBUTES: readonly [string, RegExp][] = [
  ['first_name', /^(?:vorname|prenom|nombre|nome|voornaam|imie|jmeno|fornamn|fornavn|etunimi)$/],
  [
    'last_name',
    /^(?:nachname|familienname|nom(?: de famille)?|apellidos?|cognome|sobrenome|apelido|achternaam|nazwisko|prijmeni|efternamn|efternavn|etternavn|sukunimi)$/,
  ],
];

/** Says what a column is by its name; `attributes` is empty if nothing is left of that. */
export function readColumnName(column: string): ColumnName {
  const words = column
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  const name = plain(words);
  const identifier = IDENTIFIERS.find(([, patterns]) => patterns.some((pattern) => pattern.test(name)))?.[0];
  const known = ATTRIBUTES.find(([, pattern]) => pattern.test(name))?.[0];
  const said = words.replaceAll(' ', '_');
  return { identifier, attributes: [...(known === undefined ? [] : [known]), ...(said === '' ? [] : [said])] };
}

/** Without accents. */
function plain(words: string): string {
  return words.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('ø', 'o');
}
