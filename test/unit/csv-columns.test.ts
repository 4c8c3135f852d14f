import { expect } from 'chai';
import { suggestMapping } from '../../src/domain/customer-imports/columns.ts';

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
});
