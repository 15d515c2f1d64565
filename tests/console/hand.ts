import type { Locator, Page } from 'playwright-core';

/** What a task takes of an operator. */
export interface Effort {
  clicks: number;
  /** Fields that are filled in, typed or pasted. */
  texts: number;
}

/** An operator at a page, whose clicks and texts are counted. Waiting costs nothing. */
export interface Hand {
  readonly page: Page;
  readonly effort: Readonly<Effort>;
  click(target: Locator): Promise<void>;
  /** Fills a field in. One that does not have the focus yet is clicked first. */
  write(field: Locator, text: string): Promise<void>;
  /** Fills a field in and presses Enter. */
  search(field: Locator, text: string): Promise<void>;
  /** Opens a list of choices and takes one: two clicks. */
  choose(field: Locator, value: string): Promise<void>;
}

/** A hand that has done nothing yet. */
export function handAt(page: Page): Hand {
  const effort = { clicks: 0, texts: 0 };
  const hand: Hand = {
    page,
    effort,
    click: async (target) => {
      await target.click();
      effort.clicks += 1;
    },
    write: async (field, text) => {
      await field.waitFor();
      if (!(await hasFocus(field))) await hand.click(field);
      await page.keyboard.insertText(text);
      effort.texts += 1;
    },
    search: async (field, text) => {
      await hand.write(field, text);
      await page.keyboard.press('Enter');
    },
    choose: async (field, value) => {
      await field.selectOption(value);
      effort.clicks += 2;
    },
  };
  return hand;
}

/** A dialog that opens gives its first field the focus a moment later. */
async function hasFocus(field: Locator): Promise<boolean> {
  for (let tries = 0; tries < 10; tries += 1) {
    if (await field.evaluate((element) => element === element.ownerDocument.activeElement)) return true;
    await field.page().waitForTimeout(30);
  }
  return false;
}
