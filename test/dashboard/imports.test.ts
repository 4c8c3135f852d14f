import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { violationsInBothSchemes } from '../support/axe.ts';
import type { Client } from '../support/client.ts';
import { useDashboard } from '../support/dashboard.ts';
import { layoutFaults } from '../support/layout.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const CSV = 'E-mail,First name,Points\nada@example.com,Ada,120\nno address,Joan,5\ngrace@example.com,Grace,80\n';

describe('The dashboard: Imports', () => {
  const dashboard = useDashboard();
  let service: TestService;
  let client: Client;
  let key: string;
  let folder: string;

  before(async () => {
    service = await TestService.start();
    folder = await mkdtemp(join(tmpdir(), 'footfall-import-'));
  });
  after(async () => {
    await service?.stop();
    if (folder) await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    const created = await service.newKey({ name: 'Owner' });
    key = created.key;
    client = await service.client({ storeId: created.storeId });
  });

  const open = (path: string, options = {}) => dashboard.open(service, key, path, options);
  /** For tests that listen on the page, or hold back what it sends. */
  const openAlone = (path: string, options = {}) => dashboard.openAlone(service, key, path, options);
  const fileOf = (text: string, name = 'customers.csv', encoding: BufferEncoding = 'utf8') => {
    return { name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) };
  };

  async function choose(page: Page, file: ReturnType<typeof fileOf> | string, encoding?: string): Promise<void> {
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('CSV file').click();
    await (await choosing).setFiles(file);
    if (encoding) await chooseEncoding(page, encoding);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  async function chooseAgain(page: Page, file: ReturnType<typeof fileOf> | string): Promise<void> {
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('Choose customers.csv again').click();
    await (await choosing).setFiles(file);
  }

  const encodingOf = (page: Page) => page.getByRole('combobox', { name: 'Encoding' });

  async function chooseEncoding(page: Page, encoding: string): Promise<void> {
    await encodingOf(page).click();
    await page.getByRole('option', { name: encoding }).click();
  }

  async function finish(page: Page): Promise<void> {
    await page.getByText('once all of the file is sent').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('Complete', { exact: true }).waitFor();
  }

  const nameOf = async (email: string) =>
    (await client.get(`/v1/profiles?email=${email}`, { expect: 200 })).body.profiles[0]?.attributes.name;

  /** Holds one part of a file back; returns what says whether it is on its way. */
  async function holdBack(page: Page, part: string): Promise<() => Promise<boolean>> {
    let isOnItsWay = false;
    await page.route(`**/parts/${part}`, () => {
      isOnItsWay = true;
      return new Promise(() => {});
    });
    return async () => isOnItsWay;
  }

  it('imports a file into a list: its columns, what its rows would write, and the rows that were not written', async () => {
    const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
    const page = await open(`/lists/${list}`);
    await page.getByRole('link', { name: 'Import CSV' }).click();
    await page.locator('#main').getByText('Newsletter').waitFor();
    await choose(page, fileOf(CSV));
    await page.getByRole('heading', { name: 'customers.csv', level: 1 }).waitFor();
    const preview = page.getByRole('table', { name: 'The first rows' });
    await preview.getByText('ada@example.com').waitFor();
    await preview.getByText('not written').waitFor();
    await page.getByLabel('Points: name of the attribute').fill('loyalty_points');
    await preview.getByText('loyalty_points').first().waitFor();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('Complete', { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.evaluate('delete window.showSaveFilePicker');
    await page.getByRole('button', { name: 'Download the errors' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\r\n')[0]).to.equal('line,column,value,problem');
    expect(text.split('\r\n')[1]).to.match(/^3,E-mail,no address,/);
    const { body } = await client.get(`/v1/lists/${list}/members`, { expect: 200 });
    expect(body.members).to.have.length(2);
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByRole('table', { name: 'Imports' }).getByText('Complete').waitFor();
  });

  it('imports history where that is said, and shows it', async () => {
    const page = await open('/imports/new');
    const history = page.getByRole('checkbox', { name: 'This is history: start no automations' });
    expect(await history.isChecked()).to.equal(false);
    await history.check();
    await choose(page, fileOf(CSV));
    await page.getByText('Not started: the file is history').waitFor();
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByRole('link', { name: 'Import a file' }).click();
    await choose(page, fileOf(CSV, 'news.csv'));
    await page.getByRole('heading', { name: 'news.csv', level: 1 }).waitFor();
    expect(await page.getByText('the file is history').count()).to.equal(0);
    const { imports } = (await client.get('/v1/imports', { expect: 200 })).body;
    expect(imports.map(({ backfill }: any) => backfill)).to.deep.equal([false, true]);
  });

  it('says at a column what is wrong with it, and asks for one that identifies customers', async () => {
    const page = await open('/imports/new', { allow: [/status of 400/] });
    await choose(page, fileOf(CSV));
    await page.getByLabel('Points: name of the attribute').fill('first_name');
    await page.getByRole('table', { name: 'Columns' }).getByRole('alert').getByText('already').waitFor();
    await page.getByLabel('Points: name of the attribute').fill('points');
    await page.getByRole('table', { name: 'The first rows' }).waitFor();
    await page.getByRole('combobox', { name: 'E-mail: becomes' }).click();
    await page.getByRole('option', { name: 'Left out' }).click();
    await page.getByText('Choose a column for the e-mail address').waitFor();
    expect(await page.getByRole('button', { name: 'Start the import' }).isDisabled()).to.equal(true);
  });

  it('goes on where it was when the page is loaded anew while the file is sent', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => `customer-${n}@example.com,Customer ${n}`);
    // One of a disk has the same time of its last change when it is chosen again.
    const file = join(folder, 'customers.csv');
    await writeFile(file, `E-mail,Name\n${rows.join('\n')}\n`);
    const page = await openAlone('/imports/new', { allow: [/ERR_FAILED/] });
    page.on('dialog', (asked) => void asked.accept());
    let sent: string[] = [];
    page.on('request', (request) => {
      const part = /parts\/(\d+)$/.exec(request.url())?.[1];
      if (part) sent.push(part);
    });
    let isBroken = true;
    await page.route('**/parts/3', (route) => (isBroken ? new Promise(() => {}) : route.continue()));
    await choose(page, file);
    await page.getByRole('table', { name: 'The first rows' }).getByText('customer-0@example.com').waitFor();
    expect(await page.getByRole('button', { name: 'Start the import' }).isDisabled()).to.equal(true);
    await until(async () => sent.includes('3'), 'the third part is on its way');
    await page.reload();
    await page.getByLabel('Choose customers.csv again').waitFor();
    isBroken = false;
    sent = [];
    await chooseAgain(page, file);
    await page.getByText('once all of the file is sent').waitFor({ state: 'detached' });
    expect(sent).to.include('3').and.not.to.include('1');
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('Complete', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('30,000').first().waitFor();
  });

  describe('of a file that is not in UTF-8', () => {
    const WESTERN = 'Western European (Windows)';
    let file: string;

    before(async () => {
      const rows = Array.from({ length: 30_000 }, (_, n) => `jose-${n}@example.com,José ${n}`);
      file = join(folder, 'western', 'customers.csv');
      await mkdir(dirname(file));
      await writeFile(file, `E-mail,Name\n${rows.join('\n')}\n`, 'latin1');
    });

    it('says at once as what it is read', async () => {
      const western = fileOf('E-mail,Name\njose@example.com,José\n', 'customers.csv', 'latin1');
      const page = await open('/imports/new');
      const choosing = page.waitForEvent('filechooser');
      await page.getByLabel('CSV file').click();
      await (await choosing).setFiles(western);
      await page.getByText(`This file is not in UTF-8: it is read as ${WESTERN}.`).waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('table', { name: 'The first rows' }).getByText('José').waitFor();
      await finish(page);
      expect(await nameOf('jose@example.com')).to.equal('José');
    });

    it('goes on in another tab, in the encoding that is chosen there', async () => {
      const first = await openAlone('/imports/new');
      const isInterrupted = await holdBack(first, '3');
      await choose(first, file, WESTERN);
      await until(isInterrupted, 'the third part is on its way');
      const page = await first.context().newPage();
      await page.goto(first.url());
      await first.close();
      await chooseEncoding(page, WESTERN);
      await chooseAgain(page, file);
      await finish(page);
      expect(await nameOf('jose-29999@example.com')).to.equal('José 29999');
    });

    it('sends all of it again in another encoding, and goes on with that', async () => {
      const page = await openAlone('/imports/new', { allow: [/ERR_FAILED/] });
      page.on('dialog', (asked) => void asked.accept());
      const preview = page.getByRole('table', { name: 'The first rows' });
      const isFirstInterrupted = await holdBack(page, '3');
      await choose(page, file, 'Cyrillic (Windows)');
      await preview.getByText('Josй 0').waitFor();
      await until(isFirstInterrupted, 'the third part is on its way');
      await page.reload();
      await page.unrouteAll();
      const isSecondInterrupted = await holdBack(page, '2');
      await chooseEncoding(page, WESTERN);
      await chooseAgain(page, file);
      await preview.getByText('José 0').waitFor();
      await until(isSecondInterrupted, 'the second part is on its way');
      await page.reload();
      await page.unrouteAll();
      await page.getByLabel('Choose customers.csv again').waitFor();
      expect(await encodingOf(page).inputValue()).to.equal(WESTERN);
      await chooseAgain(page, file);
      await finish(page);
      // It was in the second part, which had been stored in the other encoding.
      expect(await nameOf('jose-7500@example.com')).to.equal('José 7500');
    });
  });

  it('maps what each customer has chosen, and shows it', async () => {
    const page = await open('/imports/new');
    await choose(page, fileOf('E-mail,Status,Since\nada@example.com,subscribed,31.12.2025\n'));
    for (const [column, target] of [
      ['Status', 'E-mail consent'],
      ['Since', 'E-mail consent: since'],
    ] as const) {
      await page.getByRole('combobox', { name: `${column}: becomes` }).click();
      await page.getByRole('option', { name: target, exact: true }).click();
    }
    const type = page.getByRole('combobox', { name: 'Since: type' });
    expect(await type.inputValue()).to.equal('date, day first');
    await page.getByRole('table', { name: 'The first rows' }).getByText('email subscribed').waitFor();
    await finish(page);
    const { profiles } = (await client.get('/v1/profiles?email=ada@example.com', { expect: 200 })).body;
    const { consent } = (await client.get(`/v1/profiles/${profiles[0].id}`, { expect: 200 })).body;
    expect(consent.email).to.include({ status: 'subscribed', changed_at: '2025-12-31T00:00:00.000Z' });
  });

  it('names the line of a NUL', async () => {
    const page = await open('/imports/new');
    await choose(page, fileOf('E-mail\na@example.com\nb\0@example.com\n'));
    await page.getByText('Line 3 has a NUL character').waitFor();
  });

  it('refuses what is no text, and cancels an import', async () => {
    const page = await open('/imports/new');
    await choose(page, fileOf('\u0000\u0001PK\u0000\u0000', 'customers.txt'));
    await page.getByText('The file was not sent').waitFor();
    await page.getByText('no text in that encoding').waitFor();
    await page.getByRole('button', { name: 'Cancel the import' }).click();
    await page.getByText('Cancelled', { exact: true }).waitFor();
  });

  it('says so when there is no such import', async () => {
    const page = await open('/imports/nothing', { allow: [/status of 404/] });
    await page.getByText('Import not found').waitFor();
  });

  it('is used by the keyboard alone', async () => {
    const list = (await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 })).body.id;
    const page = await open('/imports/new');
    const choosing = page.waitForEvent('filechooser');
    await page.getByLabel('CSV file').focus();
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(fileOf(CSV));
    await page.getByRole('combobox', { name: 'Lists' }).focus();
    await page.getByRole('option', { name: 'Newsletter' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Continue' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'The first rows' }).waitFor();
    await page.getByRole('combobox', { name: 'First name: becomes' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Start the import' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Complete', { exact: true }).waitFor();
    const { body } = await client.get(`/v1/lists/${list}/members`, { expect: 200 });
    expect(body.members).to.have.length(2);
  });

  it('has no barrier, in light and dark colours, and fits a narrow screen', async () => {
    const page = await open('/imports/new', { viewport: { width: 390, height: 800 } });
    const check = async (what: string) => {
      expect(await violationsInBothSchemes(page), what).to.deep.equal([]);
      expect(await layoutFaults(page), what).to.deep.equal([]);
    };
    await check('the form');
    await choose(page, fileOf(CSV, `${'a-long-name-of-a-file-'.repeat(6)}.csv`));
    await page.getByRole('table', { name: 'The first rows' }).getByText('not written').waitFor();
    await check('columns');
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByRole('button', { name: 'Download the errors' }).waitFor();
    await check('what came of it');
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByRole('table', { name: 'Imports' }).waitFor();
    await check('the list');
  });
});
