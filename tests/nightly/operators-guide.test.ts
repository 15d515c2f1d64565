import { hash, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphiqlExamples } from '../../packages/api/src/execution/graphiql-examples.ts';
import { takeKeyPair } from '../../packages/domain/src/testing/key-pool.ts';
import { merchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { makeOlder } from '../make-older.ts';
import { type GuideStep, readGuide, readPagesInOrder } from '../operators-guide/read-guide.ts';
import { type Data, openReader, type Reader } from '../operators-guide/reader.ts';
import { payinRequest } from '../payin-requests.ts';
import { runServices } from '../run-services/ask-services.ts';
import { type RunningSandbox, startSandbox } from '../running-sandbox.ts';

// The pages of docs/operators/graphql as their reader follows them: every document, in the order of the index, on a running sandbox.

const guide = readGuide(readPagesInOrder());
type DocumentStep = GuideStep & { does: 'document' };
const documents: DocumentStep[] = guide.filter((step) => step.does === 'document');

let sandbox: RunningSandbox;
let reader: Reader;
let shop: Server;
const received: string[] = [];
const [firstKey, nextKey] = [0, 1].map(() => takeKeyPair());
const code = `tgi_${randomBytes(32).toString('base64url')}`;
const dayMs = 24 * 60 * 60_000;

beforeAll(async () => {
  // A sandbox of its own, because the guide shows figures, cases and findings of a new one. At this scale a payout is stuck after 36 s.
  sandbox = await startSandbox({ scale: 0.01 });
  const today = Date.now() - (Date.now() % dayMs);
  const known = {
    today: iso(today),
    tomorrow: iso(today + 2 * dayMs),
    nextYear: iso(today + 365 * dayMs),
    firstDay: iso(today - dayMs).slice(0, 10),
    lastDay: iso(today + dayMs).slice(0, 10),
    newMerchantId: 'CN20001',
    fingerprint: hash('sha256', code),
    publicKey: pem(firstKey?.publicKey),
    nextPublicKey: pem(nextKey?.publicKey),
  };
  reader = openReader(sandbox.file, new Map(Object.entries(known)));
  shop = createServer((request, response) => {
    received.push(request.url ?? '');
    response.end('OK');
  });
});
afterAll(async () => {
  shop?.close();
  await sandbox?.stop();
});

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function pem(key: KeyObject | undefined): string {
  return key?.export({ type: 'spki', format: 'pem' }).toString() ?? '';
}

const node = (fields: object) => ({ edges: expect.arrayContaining([{ node: expect.objectContaining(fields) }]) });
const known = (name: string) => reader.known.get(name);

/** The final answer that each query of the guide has to give. */
const answers: Record<string, () => object> = {
  Dashboard: () => ({
    figures: expect.objectContaining({ groups: expect.any(Array), comparison: expect.any(Object) }),
  }),
  WorkLists: () => ({
    workLists: expect.arrayContaining(
      ['OPEN_CASES', 'OPEN_FINDINGS'].map((list) => ({ list, count: 0, isExact: true, oldestAt: null })),
    ),
  }),
  Queues: () => ({ queues: expect.arrayContaining([expect.objectContaining({ name: 'notify', waiting: 0 })]) }),
  FindOrder: () => ({ orders: node({ merchantId: 'CN10001', orderNo: known('orderNo'), status: 'COMPLETED' }) }),
  SearchOrders: () => ({ orders: node({ orderNo: known('orderNo'), merchantOrderNo: 'SHOP-1' }) }),
  OrderTimeline: () => ({
    order: {
      status: 'COMPLETED',
      timeline: {
        edges: expect.arrayContaining([
          { node: expect.objectContaining({ __typename: 'OrderMoved', to: 'COMPLETED' }) },
          { node: expect.objectContaining({ __typename: 'ChannelCalled', operation: 'create' }) },
          { node: expect.objectContaining({ __typename: 'PaymentReceived', payment: expect.anything() }) },
          { node: expect.objectContaining({ __typename: 'WalletChanged', entry: expect.anything() }) },
          { node: expect.objectContaining({ attempt: { httpStatus: 200, error: null } }) },
        ]),
      },
    },
  }),
  UndeliveredNotifications: () => ({
    notifications: node({
      orderNo: known('undeliveredOrderNo'),
      attempts: expect.arrayContaining([expect.objectContaining({ error: expect.any(String), httpStatus: null })]),
    }),
  }),
  // The attempts are counted two minutes later. This test does not wait so long.
  FailingHosts: () => ({ notificationHosts: { edges: expect.any(Array) } }),
  ResendCount: () => ({ resendCount: { matched: 1, wouldSend: 1 } }),
  WalletStatement: () => ({
    walletStatement: {
      currency: 'INR',
      closing: { available: '980500.00', frozen: '0.00' },
      totals: expect.arrayContaining([expect.objectContaining({ type: 'SETTLEMENT', availableChange: '-20000.00' })]),
    },
  }),
  ChannelHealth: () => ({
    channels: node({
      channelId: 'sandbox',
      health: expect.objectContaining({ isFull: false, history: expect.any(Array) }),
    }),
  }),
  PendingApprovals: () => ({ approvals: node({ approvalId: known('approvalId'), operation: 'settleWallet' }) }),
  WaitsForMe: () => ({ me: { approvalsToDecide: 0 }, approvals: { edges: [] } }),
  OpenCases: () => ({
    moneyCases: node({ merchantId: 'CN10001', caseNo: 1, kind: 'LATE', amount: '70.42', currency: 'CNY' }),
  }),
  StuckPayouts: () => ({ stuckPayouts: node({ orderNo: known('stuckOrderNo'), amount: '400.23' }) }),
  PayoutTasks: () => ({ payoutTasks: node({ orderNo: known('taskOrderNo'), merchantId: 'PK10002' }) }),
  MerchantSetUp: () => ({
    merchant: {
      status: 'ACTIVE',
      keys: { edges: [{ node: expect.objectContaining({ keyId: known('oldKeyId'), expiresAt: null }) }] },
      feeRules: { edges: [{ node: { kind: 'PAYIN', percent: '2.2000', fixed: '0.10', minimum: '0.50' } }] },
      routes: { edges: [{ node: expect.objectContaining({ routeNo: 1, maxAmount: '50000.00' }) }] },
    },
  }),
  OpenAtChannel: () => ({ channels: node({ channelId: 'sandbox', enabled: false }) }),
  AuditLog: () => ({
    auditLog: node({ action: 'retireMerchantKey', subject: known('oldKeyId'), actor: 'admin', approver: 'approver' }),
  }),
  MerchantHistory: () => ({
    merchantHistory: node({
      action: 'setFeeRule',
      subject: 'fee payin',
      actor: 'admin',
      approver: 'approver',
      changes: expect.arrayContaining([{ field: 'percent', before: null, after: '2.2' }]),
    }),
  }),
};

/** The effect that each mutation of the guide must have, after a second operator approved it where that is needed. */
const effects: Record<string, (data: Data) => Promise<void>> = {
  RefreshOrder: async (data) => expect(data).toEqual({ refreshOrder: { order: { status: 'COMPLETED' } } }),
  ResendNotification: async (data) => {
    expect(data).toMatchObject({ resendNotification: { matched: 1, repeated: false } });
    await waitUntil('the merchant is notified', async () => received.includes('/nobody-listens-here'), {
      timeoutMs: 60_000,
    });
  },
  TopUpWallet: async (data) =>
    expect(data).toMatchObject({ topUpWallet: { alreadyBooked: false, wallet: { available: '1000500.00' } } }),
  SettleWallet: async (data) =>
    expect(data).toMatchObject({ settleWallet: { wallet: null, approval: { state: 'PENDING' } } }),
  Approve: async (data) => {
    expect(data).toEqual({
      approve: { operation: 'settleWallet', state: 'EXECUTED', decidedBy: 'approver', outcome: null },
    });
    const settled = await reader.askWith(
      sandbox.file.adminToken,
      '{ merchant(merchantId: "IN10001") { wallet { available } } }',
    );
    expect(settled).toEqual({ merchant: { wallet: { available: '980500.00' } } });
  },
  CreditCase: async (data) =>
    expect(data).toMatchObject({ creditCase: { case: { state: 'CREDITED', order: { status: 'COMPLETED' } } } }),
  ResolvePayout: async () => {
    const query = `{ order(orderNo: "${known('stuckOrderNo')}") { status } }`;
    expect(await reader.askWith(sandbox.file.adminToken, query)).toEqual({ order: { status: 'FAILED' } });
  },
  ClaimPayoutTask: async (data) =>
    expect(data).toMatchObject({ claimPayoutTask: { order: { status: 'PROCESSING', party: { name: 'Ali' } } } }),
  ProvePayoutTask: async (data) =>
    expect(data).toMatchObject({
      provePayoutTask: { order: { task: { claimedBy: 'admin', proof: { reference: 'TRX-20981' } } } },
    }),
  AcceptProof: async (data) => expect(data).toMatchObject({ acceptProof: { order: { status: 'COMPLETED' } } }),
  CreateMerchant: async (data) =>
    expect(data).toMatchObject({ createMerchant: { merchant: { currency: 'CNY', status: 'ACTIVE' } } }),
  AddMerchantKey: async (data) => {
    const { subject } = (data.addMerchantKey as { approval: { subject: string } }).approval;
    if (known('oldKeyId') !== undefined) return signsWith(nextKey?.privateKey, 0);
    reader.known.set('oldKeyId', subject);
    // The key is valid, but the merchant has no fee rule yet.
    await signsWith(firstKey?.privateKey, 40303);
  },
  SetFeeRule: () => signsWith(firstKey?.privateKey, 42204),
  SetRoute: () => signsWith(firstKey?.privateKey, 0),
  RetireMerchantKey: async () => {
    const query = `{ merchant(merchantId: "${known('newMerchantId')}") { keys { edges { node { keyId expiresAt } } } } }`;
    const data = await reader.askWith(sandbox.file.adminToken, query);
    expect(data).toMatchObject({
      merchant: { keys: node({ keyId: known('oldKeyId'), expiresAt: known('tomorrow') }) },
    });
    // During the overlap both keys are valid.
    for (const pair of [firstKey, nextKey]) await signsWith(pair?.privateKey, 0);
  },
  DisableChannel: () => signsWith(nextKey?.privateKey, 42204),
  EnableChannel: () => signsWith(nextKey?.privateKey, 0),
  CreateOperator: async () => {
    const query = '{ operators(first: 50) { edges { node { operatorId roles } } } }';
    const data = await reader.askWith(sandbox.file.adminToken, query);
    expect(data).toMatchObject({ operators: node({ operatorId: 'mei', roles: ['SUPPORT'] }) });
  },
  InviteOperator: async () => {
    const url = new URL('/redeem-invitation', sandbox.file.graphqlUrl);
    const redeemed = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${code}` } });
    const { token } = (await redeemed.json()) as { token: string };
    const me = await reader.askWith(token, '{ me { operatorId roles countries } }');
    expect(me).toEqual({ me: { operatorId: 'mei', roles: ['SUPPORT'], countries: ['CN', 'TH'] } });
  },
};

/** The guide's name for the order that the n-th of its merchant's commands makes. */
const orderNames = ['orderNo', 'undeliveredOrderNo', 'lateOrderNo', 'stuckOrderNo', 'taskOrderNo'];

test('the steps of the operators’ guide have the described results', { timeout: 300_000 }, async () => {
  // The guide's URL has to be known before the server listens there.
  const shopPort = await runServices.reservePorts();
  const { receiverUrl } = sandbox.file;
  const names = [...orderNames];
  for (const [nth, step] of guide.entries()) {
    if (step.does === 'merchant') {
      const args = step.args.map((arg) =>
        arg.replace('http://127.0.0.1:8091', receiverUrl).replace(':8099', `:${shopPort}`),
      );
      const { orderNo, merchantOrderNo } = await reader.play(args);
      const name = names.shift() ?? '';
      reader.known.set(name, orderNo).set('merchantOrderNo', merchantOrderNo);
      if (name === 'stuckOrderNo') await makeOlder(sandbox.file.databaseUrl, orderNo, 1);
      continue;
    }
    if (step.name === 'ResendNotification') await once(shop.listen(shopPort, '127.0.0.1'), 'listening');
    if (answers[step.name]) await look(step);
    else await act(step, guide[nth + 1]);
    if (step.name === 'StuckPayouts') {
      await expect.poll(reader.stuckPayouts, { timeout: 30_000 }).toBeGreaterThan(0);
      // The stuck payout is listed and counted, but its status is unchanged.
      const query = `{ order(orderNo: "${known('stuckOrderNo')}") { status } }`;
      expect(await reader.askWith(sandbox.file.adminToken, query)).toEqual({ order: { status: 'PROCESSING' } });
    }
  }
  expect(names).toEqual([]);
});

async function look(step: DocumentStep): Promise<void> {
  // An error of the document itself would not go away, so it is not repeated.
  await reader.ask(step);
  await expect
    .poll(() => reader.ask(step), { timeout: 60_000, interval: 200, message: step.name })
    .toMatchObject(answers[step.name]?.() ?? {});
}

async function act(step: DocumentStep, next: GuideStep | undefined): Promise<void> {
  const data = await reader.ask(step);
  const [done] = Object.values(data) as { approval?: { approvalId: string } | null }[];
  if (done?.approval) reader.known.set('approvalId', done.approval.approvalId);
  const showsHow = next?.does === 'document' && next.name === 'PendingApprovals';
  const approve = documents.find(({ name }) => name === 'Approve');
  if (done?.approval && !showsHow && approve) {
    expect(await reader.ask(approve)).toMatchObject({ approve: { state: 'EXECUTED' } });
  }
  const effect = effects[step.name];
  if (!effect) throw new Error(`no test checks the effect of ${step.name}`);
  await effect(data);
}

/** Waits until a payin of the new merchant, signed with this key, is answered with this code. */
async function signsWith(key: KeyObject | undefined, code: number): Promise<void> {
  const privatePem = key?.export({ type: 'pkcs8', format: 'pem' }).toString() ?? '';
  const client = merchantClient(sandbox.file.restUrl, known('newMerchantId') ?? '', privatePem);
  const create = async () => {
    const request = payinRequest.CN?.(`G-${randomUUID()}`, '88.23', sandbox.file.receiverUrl) ?? {};
    return (await client.post('/payin/create', request)).code;
  };
  await expect.poll(create, { timeout: 60_000, interval: 200 }).toBe(code);
}

test('GraphiQL opens with the examples that the guide describes', () => {
  const withoutComments = (query: string) => query.replaceAll(/^#.*\n/gm, '');
  const named = new Map(documents.map(({ name, query }) => [name, query]));
  const both = graphiqlExamples(Date.now()).flatMap(({ query }) => {
    const [, name = ''] = /^(?:query|mutation|subscription) (\w+)/m.exec(query) ?? [];
    const answer = named.get(name);
    return answer === undefined ? [] : [{ name, query: withoutComments(query), answer }];
  });
  expect(both.map(({ name }) => name)).toEqual(['Dashboard', 'TopUpWallet', 'PendingApprovals', 'Approve', 'Queues']);
  for (const { query, answer } of both) expect(query).toBe(answer);
});
