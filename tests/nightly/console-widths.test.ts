import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keepSecrets } from '../../tools/sandbox/src/data-dir.ts';
import { leaveOpenWork } from '../../tools/sandbox/src/demo/open-work.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { queryDatabase } from '../../tools/sandbox/test/own-postgres.ts';
import { chromiumPath, closeBrowser } from '../browser.ts';
import { addressOf, barriersOf, buildConsole, keepPicture, openConsole, placePayin } from '../console/console-page.ts';
import { draftSettlements, letTodayCount, placeCycle } from '../console/place-settlement.ts';
import { placeStuckPayout } from '../console/work-page.ts';
import { borrowSandbox } from '../run-services/ask-services.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';

// Every screen of the console with real rows, on two desks and a phone: nothing sticks out or is cut off. The pictures are kept.

vi.setConfig({ testTimeout: 400_000 });
const withBrowser = test.skipIf(chromiumPath === undefined);

type Screen = readonly [name: string, path: string, shows: string | RegExp];

let sandbox: SharedSandbox;
let screens: Screen[] = [];
beforeAll(async () => {
  if (chromiumPath === undefined) return;
  [sandbox] = await Promise.all([borrowSandbox(), buildConsole()]);
  const work = await leaveOpenWork(sandbox.file, keepSecrets(sandbox.dataDir).keys);
  await placePayin(sandbox.file, 'IN', { amount: '12345678.00' });
  await placeFinding();
  await placeExport();
  const settled = await placeSettlement();
  const orderOf = (where: string, nth = 0) => work.filter((one) => one.where === where)[nth]?.orderNo ?? '';
  const merchantNo = sandbox.file.merchants.find(({ country }) => country === 'IN')?.merchantNo ?? '';
  screens = [
    ['today', '/', 'By hour'],
    ['orders', '/orders', /^\d+ orders?$|More than/],
    ['orders filtered', '/orders?created=7d&statuses=COMPLETED&kind=PAYIN&countries=CN', /^\d+ orders?$/],
    ['no orders', '/orders?search=unknown-number', 'No order matches'],
    ['order', `/orders/${orderOf('Notifications')}`, 'answered HTTP 500'],
    ['payout', `/orders/${orderOf('Stuck payouts (after an hour)')}`, 'In progress'],
    ['cases', '/cases', /^\d+ cases?$/],
    ['payout tasks', '/payout-tasks', /^\d+ tasks?$/],
    ['payout task', `/payout-tasks/${orderOf('Payout tasks')}`, 'Pay to'],
    ['proven task', `/payout-tasks/${orderOf('Payout tasks', 1)}`, 'Proof'],
    ['approvals', '/approvals?view=all', /^\d+ approvals?$/],
    ['notifications', '/notifications', /^\d+ notifications?$|More than/],
    ['hosts', '/notifications/hosts', /^\d+ hosts?$/],
    ['merchants', '/merchants', /^\d+ merchants?$/],
    ['merchant', `/merchants/${merchantNo}`, 'Keys that sign notifications'],
    ['new merchant', '/merchants/new', 'Number, name, country'],
    ['wallets', '/wallets', /^\d+ wallets?$/],
    ['statement', `/wallets/${merchantNo}`, 'Closing balance'],
    ['channels', '/channels', /^\d+ channels?$/],
    ['channel', '/channels/sandbox', 'Bank codes'],
    ['reconciliation', '/reconciliation', /breaks?$/],
    ['breaks', '/reconciliation/breaks', /^\d+ breaks?$/],
    ['statements', '/reconciliation/statements', /^\d+ statements?$/],
    ['import', '/reconciliation/statements/new', 'Format'],
    ['profiles', '/reconciliation/profiles', 'Built in'],
    ['new profile', '/reconciliation/new-profile', 'Request approval'],
    ['settlements', '/settlements?view=all', /^\d+ settlements?$/],
    ['settlement', settled, /^\d+ wallet (entry|entries)$/],
    ['settlement cycles', '/settlements/cycles', /^\d+ cycles?$/],
    ['settlement cycle', settled.replace(/(\w+)\/\w+$/, 'cycles/$1'), 'Last settlements'],
    ['no settlement cycle', `/settlements/cycles/${merchantNo}`, 'The merchant is not settled'],
    ['settlement run', '/settlements/run', 'Reason'],
    ['exports', '/exports', /^\d+ exports?$/],
    ['audit', '/audit', /^\d+ records?$|More than/],
    ['findings', '/audit/findings', /^[1-9]\d* findings?$/],
    ['operators', '/operators', 'Who may do what'],
    ['operator', '/operators/support', 'Tokens'],
    ['missing', '/nowhere', 'There is no such page'],
  ];
}, 400_000);
afterAll(closeBrowser);

/** The address of a settlement that waits for its approval. */
async function placeSettlement(): Promise<string> {
  const { file } = await borrowSandbox({ merchants: [{ country: 'PK', payouts: 'upstream' }] });
  const merchantNo = file.merchants[0]?.merchantNo ?? '';
  await placeCycle(file, merchantNo);
  await draftSettlements(file, 'PK');
  return `/settlements/${merchantNo}/${await letTodayCount(file, merchantNo)}`;
}

async function placeExport(): Promise<void> {
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  await ask('mutation { requestExport(input: { format: CSV, orders: {} }) { __typename } }');
}

/** Inserts a finding as the audit would: the ledger of a shared sandbox has nothing broken. */
async function placeFinding(): Promise<void> {
  const { file } = await borrowSandbox({ merchants: [{ country: 'CN' }] });
  await queryDatabase(
    file.databaseUrl,
    `insert into audit_finding (merchant_id, rule, subject, detail)
     values ($1::text, 'balance of a wallet', 'wallet ' || $1::text, 'found 1, expected 2')`,
    [file.merchants[0]?.merchantNo],
  );
}

const sizes = {
  desk: [
    { width: 1280, height: 720 },
    { width: 1040, height: 560 },
  ],
  phone: [{ width: 390, height: 844 }],
};

/** What of a page cannot be seen without scrolling sideways, or not at all. Filters and code may be moved sideways on a phone. */
const lost = `(() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page: ' + document.documentElement.scrollWidth] : [];
  const parts = [...document.querySelectorAll('main *')].filter((element) => {
    const { overflowX, borderRightWidth, clipPath } = getComputedStyle(element);
    const isShown = clipPath === 'none' && !element.closest('.hidden-visually, [aria-hidden=true], pre') && element.clientWidth > 0;
    const mayMove = element.matches('search, nav') && innerWidth < 640;
    const isFrame = Number.parseFloat(borderRightWidth) > 0;
    const isLost = { hidden: !element.title, visible: isFrame }[overflowX] ?? !mayMove;
    // The last cell of a table has a padding of 16 px, so 5 px hide no letter.
    return isShown && isLost && element.scrollWidth > element.clientWidth + 5;
  });
  return [...wide, ...parts.map((one) => one.scrollWidth - one.clientWidth + ' px of ' + one.outerHTML.slice(0, 160))];
})()`;

/** What is lost on the page in light and dark, which look the same but for their colours. */
async function lookAt(page: Page, name: string, viewport: { width: number; height: number }): Promise<unknown[]> {
  await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await keepPicture(page, `${name} ${viewport.width} ${colorScheme}`);
  }
  return ((await page.evaluate(lost)) as string[]).map((what) => [name, viewport.width, what]);
}

withBrowser.for(Object.entries(sizes))(
  'no part of any screen is cut off on a %s',
  async ([name, viewports], context) => {
    const isPhone = name === 'phone';
    const [viewport = null] = viewports;
    const { page, errors } = await openConsole(context, sandbox, {
      role: 'Admin',
      viewport,
      path: '/',
      ...(isPhone && { isMobile: true, hasTouch: true }),
    });
    const found: unknown[] = [];
    const look = async (screen: string) => {
      for (const viewport of viewports) found.push(...(await lookAt(page, screen, viewport)));
      if (isPhone) found.push(...(await barriersOf(page)).map((barrier) => [screen, barrier]));
    };
    for (const [screen, path, shows] of screens) {
      await page.goto(addressOf(sandbox, path));
      await page.getByText(shows).first().waitFor({ state: 'attached' });
      await look(screen);
    }
    const openFirst = async (path: string, row: string, shows: string) => {
      await page.goto(addressOf(sandbox, path));
      await page.getByRole('row').filter({ hasText: row }).getByRole('link').first().click();
      await page.getByText(shows).first().waitFor();
    };
    await openFirst('/cases', 'Wrong amount', 'What happened');
    await look('case');
    await openFirst('/reconciliation/breaks', 'Missing in the ledger', 'The ledger has nothing of it');
    await look('break');
    await openFirst('/reconciliation/statements', 'Imported', 'Other files of these days');
    await page.getByText(/^\d+ lines?$/).waitFor();
    await look('channel statement');
    await page.goto(addressOf(sandbox, '/reconciliation'));
    await page
      .getByRole('link', { name: /\d breaks?/ })
      .first()
      .click();
    await page.getByText('What is missing').first().waitFor();
    await look('day');
    // The decision is in sight before anything is scrolled.
    await openFirst('/approvals', 'Set the fee of payins', 'Afterwards');
    await look('approval');
    for (const viewport of viewports) {
      await page.setViewportSize(viewport);
      const approve = await page.getByRole('button', { name: 'Approve', exact: true }).boundingBox();
      expect((approve?.y ?? Number.NaN) + (approve?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    }
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
  },
);

withBrowser('no part of the list of stuck payouts is cut off at any width', async (context) => {
  const fast = await borrowSandbox({ scale: 0.01, merchants: [{ country: 'IN', payouts: 'upstream' }] });
  const orderNo = await placeStuckPayout(fast.file, 'IN', '9640.23');
  const { page } = await openConsole(context, fast, { role: 'Admin', path: '/stuck-payouts' });
  await page.getByText(orderNo).first().waitFor();
  for (const viewport of Object.values(sizes).flat()) expect(await lookAt(page, 'stuck payouts', viewport)).toEqual([]);
});
