import type { Channel, ChannelSettings } from '@tidegate/domain/channels';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { examineNotification } from './callback.ts';
import { cancelPayin } from './cancel-payin.ts';
import { expiriesOf } from './certificates.ts';
import { checkAccount } from './check.ts';
import { createPayin } from './create-payin.ts';
import { fetchBill } from './fetch-statement.ts';
import { callRate } from './gateway.ts';
import { queryPayin } from './query-payin.ts';
import { queryRefund, refundPayin } from './refund.ts';
import { readSettings } from './settings.ts';

/** Opens an application at Alipay as a channel. Throws at once for settings that cannot be used. */
export function openAlipay(settings: ChannelSettings, tools: ChannelTools): Channel {
  const account = readSettings(settings);
  const limiterAccount = `alipay:${account.appId}`;
  const gateway = { account, tools, memory: settings.memory, limiterAccount };
  const creating = { ...gateway, limiterAccount: `${limiterAccount}:creates` };
  return {
    creates: { account: creating.limiterAccount, rate: callRate },
    expiries: expiriesOf(account.certificates?.all ?? []),
    create: (order, signal) => createPayin(creating, order, signal),
    query: (order, signal) => queryPayin(gateway, order, signal),
    cancel: (order, signal) => cancelPayin(gateway, order, signal),
    refund: (refund, signal) => refundPayin(gateway, refund, signal),
    queryRefund: (refund, signal) => queryRefund(gateway, refund, signal),
    fetchStatement: (request, signal) => fetchBill(gateway, request, signal),
    check: (signal) => checkAccount(gateway, signal),
    parseCallback: (_headers, body) => examineNotification(account, body, Date.now()).result,
    examineCallback: (_headers, body) => examineNotification(account, body, Date.now()).steps,
  };
}
