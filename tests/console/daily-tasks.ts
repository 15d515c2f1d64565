import { generateKeyPairSync } from 'node:crypto';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { askAsOperator } from '../../tools/sandbox/src/demo/operator-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import type { SharedSandbox } from '../run-services/shared-sandboxes.ts';
import { merchantNumberOf, placePayin, type SandboxRole, zoneOfToday } from './console-page.ts';
import type { Hand } from './hand.ts';
import { approveAll, askForFee, placeCase, placeChannel, placePayout } from './work-page.ts';

// The tasks of docs/operators/console.md, by clicking. Each begins at the first screen, and is named as its section of the guide.

export interface DailyTask {
  role?: SandboxRole;
  /** What has to be there before the counting begins. Its text is for `carryOut`, for example a number. */
  prepare?(where: Where): Promise<string>;
  carryOut(hand: Hand, given: string, where: Where): Promise<void>;
}

export interface Where {
  sandbox: SharedSandbox;
  /** A merchant in China. */
  shop: string;
}

const dialogOf = ({ page }: Hand) => page.getByRole('dialog');
const linkOfRow = ({ page }: Hand, text: string) =>
  page.getByRole('row').filter({ hasText: text }).getByRole('link').first();

/** Opens a screen by the navigation. */
const goTo = (hand: Hand, screen: string) =>
  hand.click(hand.page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: screen }));

async function find(hand: Hand, text: string): Promise<void> {
  await hand.search(hand.page.getByRole('searchbox', { name: 'Search orders' }), text);
}

/** Opens a list, filters it, and opens the only row. */
async function openOnly(hand: Hand, screen: string, filter: string, text: string): Promise<void> {
  const { page } = hand;
  await goTo(hand, screen);
  await hand.click(page.getByRole('button', { name: filter, exact: true }));
  await hand.search(page.getByRole('textbox', { name: filter }), text);
  await page.getByRole('status').filter({ hasText: /^1 / }).waitFor();
  await hand.click(linkOfRow(hand, text));
}

async function act(hand: Hand, action: string): Promise<void> {
  await hand.click(hand.page.getByRole('button', { name: 'Actions' }));
  await hand.click(hand.page.getByRole('menuitem', { name: action }));
}

/** Gives the reason of the open dialog, sends it, and waits for what it then says. */
async function giveReason(hand: Hand, reason: string, done: string): Promise<void> {
  await hand.write(dialogOf(hand).getByLabel('Reason'), reason);
  await send(hand, done);
}

async function send(hand: Hand, done: string): Promise<void> {
  await hand.click(dialogOf(hand).locator('button[type=submit]'));
  await dialogOf(hand).getByText(done).waitFor();
}

async function close(hand: Hand): Promise<void> {
  await hand.click(dialogOf(hand).getByRole('button', { name: 'Close' }).last());
}

const waits = 'This waits for a second operator';

/** The ten tasks of a day, and two more. */
export const dailyTasks: Record<string, DailyTask> = {
  'See how the day goes': {
    prepare: ({ sandbox }) => placeFigures(sandbox),
    carryOut: async (hand) => {
      await hand.click(hand.page.getByRole('link', { name: 'Channel', exact: true }));
      await hand.page.getByRole('table', { name: 'Today by channel' }).waitFor();
    },
  },
  'Find an order': {
    role: 'Support',
    prepare: async ({ sandbox }) => merchantNumberOf(sandbox, await placePayin(sandbox.file, 'CN')),
    carryOut: async (hand, number) => {
      await find(hand, number);
      await hand.page.getByRole('heading', { name: '88.00' }).waitFor();
    },
  },
  'Find out why a merchant was not notified, and send it again': {
    role: 'Support',
    // The order is of this morning: it is found by its number, and its merchant has answered.
    prepare: ({ sandbox }) => placeNotNotified(sandbox),
    carryOut: async (hand, number) => {
      await find(hand, number);
      const story = hand.page.getByRole('status').filter({ hasText: 'answered HTTP 500' });
      await hand.click(story.getByRole('button', { name: 'Send the notification again' }));
      await giveReason(hand, 'The merchant fixed it', 'Sent again: 1');
    },
  },
  'Book money of a merchant': {
    prepare: async ({ shop }) => shop,
    carryOut: async (hand, merchantNo) => {
      await openOnly(hand, 'Wallets', 'Name or number', merchantNo);
      await act(hand, 'Top up');
      await hand.write(dialogOf(hand).getByLabel('Amount received (CNY)'), '12.34');
      await hand.write(dialogOf(hand).getByLabel('Number of the bank transfer'), `T-${Date.now()}`);
      await hand.write(dialogOf(hand).getByLabel('Remark for the merchant'), 'Transfer of today');
      await giveReason(hand, 'Money came in at the bank', 'Booked. Available now');
    },
  },
  'Approve or reject': {
    role: 'Approver',
    prepare: async ({ sandbox, shop }) => {
      await askForFee(sandbox.file, shop, '2.9');
      return shop;
    },
    carryOut: async (hand, merchantNo) => {
      await goTo(hand, 'Approvals');
      await hand.click(linkOfRow(hand, merchantNo));
      await hand.page.getByText('It can be carried out now').waitFor();
      await hand.click(hand.page.getByRole('button', { name: 'Approve', exact: true }));
      await send(hand, 'Approved and carried out');
    },
  },
  'Decide about a case': {
    prepare: async ({ sandbox }) => (await placeCase(sandbox.file, 'CN', '700.51')).orderNo,
    carryOut: async (hand, orderNo) => {
      await goTo(hand, 'Cases');
      await hand.click(linkOfRow(hand, orderNo));
      await hand.click(hand.page.getByRole('button', { name: 'Returned by hand' }));
      await giveReason(hand, 'The payer wants it back', 'the money is returned');
    },
  },
  'Pay a payout by hand': {
    prepare: ({ sandbox }) => placePayout(sandbox.file, 'PK', '431.00'),
    carryOut: async (hand, orderNo) => {
      const { page } = hand;
      await goTo(hand, 'Payout tasks');
      await hand.click(linkOfRow(hand, orderNo));
      await hand.click(page.getByRole('button', { name: 'Claim', exact: true }));
      await giveReason(hand, 'I pay it', 'The task is yours');
      await close(hand);
      await hand.click(page.getByRole('button', { name: 'Copy account' }));
      await hand.click(page.getByRole('button', { name: 'Prove the payment' }));
      await hand.write(dialogOf(hand).getByLabel('Bank reference'), `TRX-${orderNo.slice(-8)}`);
      await hand.write(dialogOf(hand).getByLabel('Paid from'), 'Account at HBL');
      await giveReason(hand, 'Paid', 'waits for another operator');
    },
  },
  'Add a merchant': {
    prepare: async () => `CN5${String(Date.now()).slice(-4)}`,
    carryOut: addMerchant,
  },
  'Switch a channel off': {
    prepare: async ({ sandbox }) => {
      const channelId = `off-${Date.now().toString(36)}`;
      await placeChannel(sandbox.file, channelId);
      return channelId;
    },
    carryOut: async (hand, channelId) => {
      await goTo(hand, 'Channels');
      await hand.click(linkOfRow(hand, channelId));
      await act(hand, 'Switch off');
      await giveReason(hand, 'It does not answer', 'New orders no longer go to this channel');
    },
  },
  'Send all again that a merchant missed today': {
    role: 'Support',
    prepare: async ({ sandbox, shop }) => {
      await placePayin(sandbox.file, 'CN', { answer: '500' });
      return shop;
    },
    carryOut: async (hand, merchantNo) => {
      const { page } = hand;
      await goTo(hand, 'Notifications');
      await hand.click(page.getByRole('button', { name: 'Merchant', exact: true }));
      await hand.search(page.getByRole('textbox', { name: 'Merchant' }), merchantNo);
      await hand.click(page.getByRole('button', { name: 'Not delivered today' }));
      await hand.click(page.getByRole('button', { name: /^Send [1-9]\d* again$/ }));
      await giveReason(hand, 'The merchant fixed it', 'Sent again:');
    },
  },
  'Who did what?': {
    prepare: async ({ sandbox, shop }) => {
      await askForFee(sandbox.file, shop, '2.8');
      return shop;
    },
    carryOut: async (hand, merchantNo) => {
      const { page } = hand;
      await goTo(hand, 'Audit');
      await hand.click(page.getByRole('button', { name: 'Text', exact: true }));
      await hand.search(page.getByRole('textbox', { name: 'Text' }), merchantNo);
      await page.waitForURL((url) => url.searchParams.get('text') === merchantNo);
      await hand.click(page.getByRole('link', { name: 'Request approval' }).first());
      await dialogOf(hand).getByText('New contract').first().waitFor();
    },
  },
};

/** A payout is stuck after an hour, which takes 36 s in a sandbox with the scale 0.01. */
export const stuckPayoutTask = 'Resolve a payout that does not end';
export const resolveStuckPayout: DailyTask = {
  carryOut: async (hand, orderNo) => {
    await goTo(hand, 'Stuck payouts');
    const row = hand.page.getByRole('row').filter({ hasText: orderNo });
    await hand.click(row.getByRole('button', { name: 'Resolve' }));
    await hand.choose(dialogOf(hand).getByLabel('What happened at the bank'), 'FAILED');
    await hand.write(dialogOf(hand).getByLabel('Evidence'), 'Bank statement of today: no such debit');
    await giveReason(hand, 'The bank did not pay it', waits);
  },
};

/** From the number to the first signed request. What the second operator approves is not counted. */
async function addMerchant(hand: Hand, merchantNo: string, { sandbox }: Where): Promise<void> {
  const { page } = hand;
  // The key pool's pairs belong to merchants of the sandbox.
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const dialog = dialogOf(hand);
  const begin = (action: string) => hand.click(page.getByRole('button', { name: action, exact: true }));
  await goTo(hand, 'Merchants');
  await begin('New merchant');
  await begin('Create a merchant');
  await hand.write(dialog.getByLabel('Number'), merchantNo);
  await hand.write(dialog.getByLabel('Name'), 'Harbour Tea');
  await hand.choose(dialog.getByLabel('Country'), 'CN');
  await giveReason(hand, 'A new contract', 'exists');
  await begin('Go on with its key');
  await begin('Add a key');
  await hand.write(dialog.getByLabel('Public key of the merchant'), publicKey);
  await giveReason(hand, 'Received from the merchant', waits);
  await close(hand);
  await begin('Set a fee');
  await hand.write(dialog.getByLabel('Percent of the amount'), '2.4');
  await giveReason(hand, 'The contract says so', waits);
  await close(hand);
  await begin('Add a route');
  await hand.write(dialog.getByLabel('Channel'), 'sandbox');
  await giveReason(hand, 'Payins by the sandbox', waits);
  await close(hand);
  await approveAll(sandbox.file, merchantNo);
  const client = merchantClient(sandbox.file.restUrl, merchantNo, privateKey);
  const isKnown = async () => (await client.get('/wallet', {})).code === 0;
  await waitUntil(`${merchantNo} is known`, isKnown, { timeoutMs: 30_000, everyMs: 200 });
  await page.getByText('The first valid request came in').waitFor();
}

/** Creates an order, and waits until the figures of today have it. */
async function placeFigures({ file }: SharedSandbox): Promise<string> {
  const orderNo = await placePayin(file, 'CN');
  const ask = askAsOperator(file.graphqlUrl, file.adminToken);
  const query = `{ figures(input: { period: TODAY, timeZone: "${zoneOfToday}", by: [CHANNEL] }) { groups(first: 1) { orders } } }`;
  const isCounted = async () => (await ask<{ figures: { groups: object[] } }>(query)).figures.groups.length > 0;
  await waitUntil(`${orderNo} is counted`, isCounted, { timeoutMs: 60_000, everyMs: 200 });
  return orderNo;
}

/** A payin whose merchant has answered its notification with HTTP 500, and that a search finds; its merchant's number. */
async function placeNotNotified(sandbox: SharedSandbox): Promise<string> {
  const orderNo = await placePayin(sandbox.file, 'CN', { answer: '500' });
  const number = await merchantNumberOf(sandbox, orderNo);
  const ask = askAsOperator(sandbox.file.graphqlUrl, sandbox.file.adminToken);
  const query = `query ($orderNo: String!, $number: String!) {
    order(orderNo: $orderNo) { notifications(first: 1) { edges { node { attemptCount } } } }
    orders(first: 1, filter: { search: $number }) { totalCount }
  }`;
  interface Found {
    order: { notifications: { edges: { node: { attemptCount: number } }[] } };
    orders: { totalCount: number };
  }
  const isThere = async () => {
    const { order, orders } = await ask<Found>(query, { orderNo, number });
    return orders.totalCount === 1 && (order.notifications.edges[0]?.node.attemptCount ?? 0) > 0;
  };
  await waitUntil(`${number} is found and was notified`, isThere, { timeoutMs: 60_000, everyMs: 200 });
  return number;
}
