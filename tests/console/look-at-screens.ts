import { expect, type TestContext } from 'vitest';
import type { OpenPage } from '../browser.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { barriersOf, keepPicture, openConsole, phone, placePayin, type SandboxRole, widthOf } from './console-page.ts';
import { placePayout } from './work-page.ts';

// Each function opens screens in one colour scheme, keeps their pictures, and fails if axe finds an accessibility problem.

type Context = Pick<TestContext, 'onTestFinished'>;
type ColorScheme = 'light' | 'dark';

/** A signed-in page in one colour scheme. */
interface Looked extends OpenPage {
  /** Keeps a picture of the page as it is now, and fails if it has an accessibility problem. */
  look(name: string): Promise<void>;
}

/**
 * Opens a screen for `look`. `isPhoneInDark`: in dark the page is on a phone, and must not scroll sideways. Then all rules are
 * asked, because its layout is another one.
 */
export async function openToLook(
  context: Context,
  sandbox: SharedSandbox,
  at: { colorScheme: ColorScheme; path: string; role?: SandboxRole; isPhoneInDark?: boolean },
): Promise<Looked> {
  const { isPhoneInDark = false, ...options } = at;
  const { colorScheme } = options;
  const isPhone = isPhoneInDark && colorScheme === 'dark';
  const opened = await openConsole(context, sandbox, { ...(isPhone && phone), ...options });
  const { page } = opened;
  const look = async (name: string): Promise<void> => {
    // A pointer over a button shows its help.
    await page.mouse.move(0, 0);
    await keepPicture(page, `${name} ${colorScheme}`);
    expect([name, await barriersOf(page, isPhone ? 'light' : colorScheme)]).toEqual([name, []]);
    if (isPhone) expect([name, await widthOf(page)]).toEqual([name, phone.viewport?.width]);
  };
  return { ...opened, look };
}

/** Orders of a merchant in India for `lookAtOrders`; the number of the one whose notification fails. */
export async function placeOrdersToLookAt({ file }: SharedSandbox): Promise<string> {
  for (const amount of ['100000.00', '250.50', '1234567.00']) await placePayin(file, 'IN', { amount });
  return placePayin(file, 'IN', { amount: '60.00', answer: '500' });
}

/** The list of orders, its filter, an order, its actions, a dialog, and the sign-in page. */
export async function lookAtOrders(
  context: Context,
  sandbox: SharedSandbox,
  orderNo: string,
  colorScheme: ColorScheme,
): Promise<void> {
  const merchantNo = sandbox.file.merchants[0]?.merchantNo ?? '';
  const path = `/orders?merchantIds=${merchantNo}`;
  const { page, errors, look } = await openToLook(context, sandbox, { colorScheme, path });
  await page.getByText('12,34,567.00').waitFor();
  await look('orders');
  await page.getByRole('button', { name: 'Status' }).first().click();
  await page.getByLabel('Completed').waitFor();
  await look('filter');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: orderNo }).click();
  await page.getByText('answered HTTP 500').first().waitFor();
  await look('order');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem').first().waitFor();
  await look('actions');
  await page.getByRole('menuitem', { name: 'Send the notification again' }).click();
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
  await look('dialog');
  await page.keyboard.press('Escape');
  // Before signing out: a request that is on its way is then answered with 401, which the browser logs.
  expect(errors).toEqual([]);
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Approver' }).waitFor();
  await look('sign in');
}

/** The payout tasks, one of them, and the stuck payouts. The sandbox has a merchant in Pakistan whose payouts go to the market. */
export async function lookAtPayoutTasks(
  context: Context,
  sandbox: SharedSandbox,
  colorScheme: ColorScheme,
): Promise<void> {
  const orderNo = await placePayout(sandbox.file, 'PK', '423.00');
  const { page, look } = await openToLook(context, sandbox, { colorScheme, role: 'Admin', path: '/payout-tasks' });
  await page.getByRole('link', { name: orderNo }).waitFor();
  await look('payout tasks');
  await page.getByRole('link', { name: orderNo }).click();
  await page.getByText('No operator pays this payout yet').waitFor();
  await look('payout task');
  await page.getByRole('link', { name: 'Stuck payouts' }).click();
  await page.getByRole('heading', { name: 'Stuck payouts' }).waitFor();
  await look('stuck payouts');
}
