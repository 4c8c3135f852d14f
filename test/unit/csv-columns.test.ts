import { expect } from 'chai';
import { suggestMapping } from '../../src/domain/imports/files/columns.ts';
import { readDate } from '../../src/domain/imports/files/dates.ts';

/** What each column becomes. */
const becomes = (...columns: string[]) =>
  suggestMapping(columns, []).map((one) => one && (one.identifier ?? `attribute ${one.attribute}`));

describe('Columns of CSV', () => {
  for (const [language, columns] of Object.entries({
    English: ['Customer ID', 'E-mail address', 'Mobile phone', 'First name', 'LastName'],
    German: ['Kundennummer', 'E-Mail-Adresse', 'Telefon', 'Vorname', 'Nachname'],
    French: ['N° client', 'Adresse e-mail', 'Numéro de téléphone', 'Prénom', 'Nom'],
    Spanish: ['Número de cliente', 'Correo electrónico', 'Teléfono móvil', 'Nombre', 'Apellidos'],
    Italian: ['Codice cliente', 'Indirizzo e-mail', 'Cellulare', 'Nome', 'Cognome'],
    Portuguese: ['Código do cliente', 'Endereço de e-mail', 'Telemóvel', 'Nome', 'Apelido'],
    Dutch: ['Klantnummer', 'E-mailadres', 'Telefoonnummer', 'Voornaam', 'Achternaam'],
    Polish: ['Numer klienta', 'Adres e-mail', 'Numer telefonu', 'Imię', 'Nazwisko'],
    Swedish: ['Kundnummer', 'E-postadress', 'Mobilnummer', 'Förnamn', 'Efternamn'],
    Danish: ['Kundenr', 'E-mail', 'Tlf', 'Fornavn', 'Efternavn'],
    Norwegian: ['Kunde-ID', 'E-post', 'Mobil', 'Fornavn', 'Etternavn'],
  })) {
    it(`are known by their names in ${language}`, () => {
      expect(becomes(...columns)).to.deep.equal([
        'external_id',
        'email',
        'phone',
        'attribute first_name',
        'attribute last_name',
      ]);
    });
  }

  it('become one thing each, and attributes of their names else', () => {
    expect(becomes('Telefon', 'Handy', 'Nome', 'Vorname', 'Straße', 'E-Mail', 'Mail', '—')).to.deep.equal([
      'phone',
      'attribute handy',
      'attribute first_name',
      'attribute vorname',
      'attribute straße',
      'email',
      'attribute mail',
      null,
    ]);
  });

  it('are dates where their order is evident', () => {
    for (const [type, ...values] of [
      ['date_dmy', '31.12.1990', '01.02.1991'],
      ['date_dmy', '1. 2. 1990', ''],
      ['date_dmy', '01/02/1990', '13/02/1990 10:15'],
      ['date_mdy', '01/02/1990', '02/13/1990'],
      ['date_ymd', '1990/12/31', '1990-01-02'],
      ['date_ymd', '1990-12-31 10:15:00'],
      ['text', '01/02/1990', '03/04/1990'],
      ['text', '13/02/1990', '02/13/1990'],
      ['text', '1990-12-31', '1991-01-01T10:00:00Z'],
      ['text', '31.12.90'],
    ]) {
      const [column] = suggestMapping(
        ['Birthday'],
        values.map((value) => [value]),
      );
      expect([column?.type, values]).to.deep.equal([type, values]);
    }
  });

  it('have dates that exist, which become those of ISO 8601', () => {
    for (const [type, text, date] of [
      ['date_dmy', '31.12.1990', '1990-12-31'],
      ['date_dmy', '1. 2. 1990', '1990-02-01'],
      ['date_mdy', '2/1/1990', '1990-02-01'],
      ['date_ymd', ' 1990/2/1 ', '1990-02-01'],
      ['date_dmy', '31-12-1990 9:05', '1990-12-31T09:05:00.000Z'],
      ['date_ymd', '1990-12-31T10:15:00.5+02:00', '1990-12-31T08:15:00.500Z'],
      ['date_dmy', '29.02.1991', undefined],
      ['date_mdy', '31/12/1990', undefined],
      ['date_dmy', '1990-12-31', undefined],
      ['date_dmy', '31.12/1990', undefined],
      ['date_ymd', '19901231', undefined],
      ['date_dmy', '31.12.1990 25:00', undefined],
    ] as const) {
      expect([text, readDate(type, text)]).to.deep.equal([text, date]);
    }
  });
});
