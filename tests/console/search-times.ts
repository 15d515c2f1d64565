import type { Page } from 'playwright-core';

// How long an operator waits for what a search finds, as a browser sees it.

/** A search: what is done before its last key or click, and the last one, which the time is counted from. */
export interface TimedSearch {
  before?(page: Page): Promise<void>;
  last(page: Page): Promise<void>;
  /** Whether the page of an order may open in place of a list: the search found only this one. */
  mayOpenOrder?: boolean;
}

/** A search that ended before it found a row is an answer, too. Waits in the page itself, so that no call between the test and the browser is part of the time. */
const watch = (mayOpenOrder: boolean): string => `(() => {
  let began = null;
  const begin = () => { began = performance.now(); };
  addEventListener('click', begin, true);
  addEventListener('keydown', ({ key }) => key === 'Enter' && begin(), true);
  globalThis.searchTime = new Promise((resolve) => {
    let isAsked = false;
    const look = () => {
      const list = document.querySelector('main section[aria-busy]');
      if (began !== null && list?.getAttribute('aria-busy') === 'true') isAsked = true;
      const isOrder = ${mayOpenOrder} && /\\/orders\\/P[IO]/.test(location.pathname) && document.querySelector('main h1') !== null;
      const isThere = isOrder || (isAsked && list?.getAttribute('aria-busy') === 'false' && (list.querySelector('tbody a') !== null || list.textContent.includes('Search further')));
      if (began === null || !isThere) return;
      observer.disconnect();
      resolve(performance.now() - began);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] });
  });
})()`;

/** Milliseconds from the last key or click until the first row of the list is there, or the order. Begins at a list that is read. */
export async function timeSearch(page: Page, { before, last, mayOpenOrder = false }: TimedSearch): Promise<number> {
  await before?.(page);
  await page.evaluate(watch(mayOpenOrder));
  await last(page);
  return Math.round(Number(await page.evaluate('globalThis.searchTime')));
}

/** Opens the list of orders without filters, as after a reload. */
export async function openList(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('main section[aria-busy="false"] tbody a').first().waitFor();
}

/** A text in the search box that is on every page. */
export function byText(text: string): TimedSearch {
  return {
    mayOpenOrder: true,
    before: (page) => page.getByLabel('Search orders').fill(text),
    last: (page) => page.getByLabel('Search orders').press('Enter'),
  };
}

/** A choice of a filter. */
export function byChoice(filter: string, choice: string): TimedSearch {
  const bar = (page: Page) => page.getByRole('search', { name: 'Filters' });
  return {
    before: async (page) => {
      await bar(page).getByRole('button', { name: filter, exact: true }).click();
      await page.getByLabel(choice, { exact: true }).waitFor();
    },
    last: (page) => page.getByLabel(choice, { exact: true }).click(),
  };
}

/** The next page. */
export const nextPage: TimedSearch = {
  last: (page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click(),
};
