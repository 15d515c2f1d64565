import type { Channel, ChannelAnswer, ChannelOrderRef, ChannelSettings } from '@tidegate/domain/channels';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { type Account, limitedAccount } from './api.ts';
import { examineCallback, readCallback } from './callback.ts';
import { cancelPayin } from './cancel-payin.ts';
import { cancelPayout } from './cancel-payout.ts';
import { checkAccount } from './check.ts';
import { createPayin } from './create-payin.ts';
import { createPayout } from './create-payout.ts';
import { fetchStatement } from './fetch-statement.ts';
import { noAnswer, notFound } from './mapping.ts';
import { payerOf } from './payer.ts';
import { queryPayin } from './query-payin.ts';
import { queryPayout } from './query-payout.ts';
import { findRefund, refundPayment } from './refund.ts';
import { readSettings } from './settings.ts';

const withoutAccount = 'payouts need the RazorpayX account number in the credentials of this channel';

/** A channel at Razorpay. Payouts without a RazorpayX account are refused. */
export function openRazorpayChannel(channel: ChannelSettings, tools: ChannelTools): Channel {
  const settings = readSettings(channel);
  const { payouts } = settings;
  const account: Account = { settings, memory: channel.memory, tools };
  return {
    creates: limitedAccount(settings),
    async create(order, signal): Promise<ChannelAnswer> {
      if (order.kind === 'payin') return createPayin(account, order, signal);
      return payouts ? createPayout(account, payouts, order, signal) : { outcome: 'refused', reason: withoutAccount };
    },
    async query(order, signal) {
      if (order.kind === 'payin') return queryPayin(account, order, signal);
      return payouts ? queryPayout(account, payouts, order, signal) : queryWithoutAccount(account, order);
    },
    async cancel(order, signal) {
      if (order.kind === 'payin') return cancelPayin(account, order, signal);
      return payouts ? cancelPayout(account, payouts, order, signal) : noAnswer(withoutAccount);
    },
    parseCallback: (headers, body) => readCallback(settings, headers, body),
    examineCallback: (headers, body) => examineCallback(settings, headers, body),
    fetchStatement: (request, signal) => fetchStatement(account, request, signal),
    check: (signal) => checkAccount(account, signal),
    refund: (refund, signal) => refundPayment(account, refund, signal),
    queryRefund: (refund, signal) => findRefund(account, refund, signal),
  };
}

/** Only a payout that was never sent is certainly not at Razorpay. */
async function queryWithoutAccount(account: Account, { orderNo, channelRef }: ChannelOrderRef): Promise<ChannelAnswer> {
  const mayExist = channelRef !== undefined || (await payerOf(account, orderNo)) !== null;
  return mayExist ? noAnswer(withoutAccount) : notFound;
}
