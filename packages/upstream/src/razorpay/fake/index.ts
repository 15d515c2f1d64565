import { randomBytes } from 'node:crypto';
import {
  type FakeOptions,
  fromCents,
  openFakeServer,
  openStore,
  type ProviderFake,
  type RunningFake,
} from '../../fake-provider/index.ts';
import { addBeneficiaryRoutes } from './beneficiary-routes.ts';
import { type Context, isAuthorized, parameter, recordOf, recordsOf, refuse } from './context.ts';
import { addLinkRoutes } from './link-routes.ts';
import { payLink, startPayer } from './payer.ts';
import { movePayout, startPayout } from './payout-course.ts';
import { addPayoutRoutes, isOurs } from './payout-routes.ts';
import type { Stored } from './records.ts';
import { addRefundRoutes } from './refund-routes.ts';
import { addStatementRoutes } from './statement-routes.ts';

/** Razorpay's payment links and RazorpayX's payouts, as their public documentation says. */
export const razorpayFake: ProviderFake = {
  provider: 'razorpay',
  carries: [
    { country: 'IN', kind: 'payin' },
    { country: 'IN', kind: 'payout' },
  ],
  makeAccount() {
    const random = () => randomBytes(12).toString('hex');
    const account = {
      keyId: `rzp_test_${random()}`,
      keySecret: random(),
      webhookSecret: random(),
      payoutKeyId: `rzp_test_${random()}`,
      payoutKeySecret: random(),
      payoutWebhookSecret: random(),
      accountNumber: '7878780080316316',
      accountId: `acc_${random().slice(0, 14)}`,
    };
    return { credentials: { ...account, statementDelayMinutes: '0' }, account };
  },
  start: startRazorpayFake,
};

/** A running fake with its insides, for tests. */
export async function startRazorpayFake(options: FakeOptions): Promise<RunningFake & { context: Context }> {
  const server = openFakeServer(options);
  const store = openStore<Stored>(options.stateFile);
  const context: Context = {
    server,
    store,
    account: { ...options.account },
    webhookUrl: options.webhookUrl,
    foreignSignatures: 0,
    paysBeforeAnswer: false,
  };
  server.app.addHook('preHandler', async (request, reply) => {
    if (request.url.startsWith('/v1/') && !isAuthorized(context, request))
      await refuse(reply, 'The api key provided is invalid', null, 401);
  });
  server.app.setNotFoundHandler((_request, reply) => refuse(reply, 'The requested URL was not found on the server.'));
  addLinkRoutes(context);
  addRefundRoutes(context);
  addBeneficiaryRoutes(context);
  addPayoutRoutes(context);
  addStatementRoutes(context, (accountNumber) => isOurs(context, accountNumber));
  addPayPage(context);
  addControls(context);
  await server.listen();
  resume(context);
  return { url: server.url(), context, close: () => server.close(store) };
}

/** What was under way when the process ended goes on. */
function resume(context: Context): void {
  for (const link of recordsOf(context, 'link')) if (link.status === 'created') startPayer(context, link);
  for (const payout of recordsOf(context, 'payout')) if (payout.status === 'processing') startPayout(context, payout);
}

/** The hosted page that `short_url` leads to, for a person in a sandbox. */
function addPayPage(context: Context): void {
  const { app } = context.server;
  app.get('/i/:id', async (request, reply) => {
    const link = recordOf(context, 'link', parameter(request, 'id'));
    const state = link ? `INR ${fromCents(link.amount)}: ${link.status}` : 'There is no such payment link.';
    const form = link?.status === 'created' ? '<form method="post"><button>Pay by UPI</button></form>' : '';
    return reply.type('text/html').send(`<!doctype html><title>Razorpay (fake)</title><h1>${state}</h1>${form}`);
  });
  app.post('/i/:id', async (request, reply) => {
    const link = recordOf(context, 'link', parameter(request, 'id'));
    if (link) payLink(context, link.id, link.amount);
    return reply.redirect(`/i/${parameter(request, 'id')}`, 303);
  });
}

/**
 * - `webhook_secret` { secret }: the secret changes in the middle.
 * - `foreign_signature` { times }: the next webhooks are signed by another merchant.
 * - `early_webhook`: the next payment link is paid before its create is answered.
 * - `state` { id, status, reason? }: a payout goes to any state, also back.
 * - `statements` { fault? }: settlements and account statements are not true, or true again.
 */
function addControls(context: Context): void {
  const { addControl } = context.server;
  addControl('webhook_secret', ({ secret }) => {
    Object.assign(context.account, { webhookSecret: String(secret), payoutWebhookSecret: String(secret) });
  });
  addControl('foreign_signature', ({ times }) => {
    context.foreignSignatures = Number(times ?? 1);
  });
  addControl('early_webhook', () => {
    context.paysBeforeAnswer = true;
  });
  addControl('state', ({ id, status, reason }) => {
    if (!recordOf(context, 'payout', String(id))) throw new Error('id is not that of a payout');
    movePayout(context, String(id), String(status), typeof reason === 'string' ? reason : null);
  });
}
