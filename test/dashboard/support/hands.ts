import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/process.ts';

/** As many times as Tab leads from one thing of a page to another, at most. */
const MOST_TABS = 250;
/** After more, what is typed in a list of the browser is the beginning of another option. */
const TYPING_PAUSE_MS = 1_100;

/** Somebody at the dashboard, by the keyboard or by the mouse, of whom it is counted how often they have to do something. */
export interface Hands {
  /** What has been done: keys that do something, Tab and what is typed aside; or clicks. */
  readonly acts: number;
  /** Searches for a text on whatever page, and goes to the first of what is found, which has a name. */
  search(text: string, name: string): Promise<void>;
  /** Follows a link, or presses a button. */
  press(target: Locator): Promise<void>;
  /** Writes into a field, after what it holds. */
  write(field: Locator, text: string): Promise<void>;
  /** Presses what ends a form. */
  send(button: Locator): Promise<void>;
  /** Chooses the option after the chosen one, of some of which one is chosen. */
  chooseNext(option: Locator): Promise<void>;
  /** Chooses from a list that opens by its field. */
  choose(field: Locator, option: string): Promise<void>;
  /** Chooses from a list of the browser. */
  select(field: Locator, option: string): Promise<void>;
}

const optionOf = (page: Page, name: string) => page.getByRole('option', { name }).first();
const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search for' });

export class ByKeyboard implements Hands {
  acts = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async search(text: string, name: string): Promise<void> {
    await this.#act('Control+k');
    await this.#hasFocus(searchField(this.#page));
    await this.#page.keyboard.type(text);
    await this.#page.getByRole('option', { name, selected: true }).waitFor();
    await this.#act('Enter');
    await this.#page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
  }

  async press(target: Locator): Promise<void> {
    await this.#tabTo(target);
    await this.#act('Enter');
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.#tabTo(field);
    await this.#page.keyboard.press('End');
    await this.#page.keyboard.type(text);
  }

  async send(button: Locator): Promise<void> {
    await until(() => button.isEnabled(), 'it can be sent');
    await this.#act('Enter');
  }

  async chooseNext(option: Locator): Promise<void> {
    await this.#tabTo(this.#page.locator('[type=radio]:checked'));
    await this.#act('ArrowDown');
    await until(() => option.isChecked(), 'it is chosen');
  }

  async choose(field: Locator, option: string): Promise<void> {
    await this.#tabTo(field);
    await this.#page.keyboard.type(option);
    await optionOf(this.#page, option).waitFor();
    await this.#act('ArrowDown');
    await this.#act('Enter');
  }

  async select(field: Locator, option: string): Promise<void> {
    await this.#tabTo(field);
    await until(async () => {
      await this.#page.keyboard.type(option);
      if ((await field.evaluate((one: any) => one.selectedOptions[0].label)) === option) return true;
      // What is typed after a pause, as of a browser that has much to do, begins anew.
      await sleep(TYPING_PAUSE_MS);
      return false;
    }, 'it is selected');
    this.acts += 1;
  }

  async #act(key: string): Promise<void> {
    this.acts += 1;
    await this.#page.keyboard.press(key);
  }

  async #tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let count = 0; count < MOST_TABS; count += 1) {
      if (await isFocused(target)) return;
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${target}`);
  }

  #hasFocus(target: Locator): Promise<void> {
    return until(() => isFocused(target), 'it has the focus');
  }
}

export class ByMouse implements Hands {
  acts = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async search(text: string, name: string): Promise<void> {
    await this.press(this.#page.getByRole('button', { name: 'Search' }));
    await this.write(searchField(this.#page), text);
    await this.press(optionOf(this.#page, name));
    await this.#page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
  }

  async press(target: Locator): Promise<void> {
    this.acts += 1;
    await target.click();
  }

  async write(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    // Where a dialog has put the focus, nobody has to.
    if (!(await isFocused(field))) await this.press(field);
    await this.#page.keyboard.press('End');
    await this.#page.keyboard.type(text);
  }

  send(button: Locator): Promise<void> {
    return this.press(button);
  }

  chooseNext(option: Locator): Promise<void> {
    return this.press(option);
  }

  async choose(field: Locator, option: string): Promise<void> {
    await this.press(field);
    await this.press(optionOf(this.#page, option));
  }

  async select(field: Locator, option: string): Promise<void> {
    this.acts += 2;
    await field.selectOption(option);
  }
}

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((one) => one === one.ownerDocument.activeElement);
