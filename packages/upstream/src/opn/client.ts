import type { Channel, ChannelAnswer, ChannelSettings } from '@tidegate/domain/channels';
import type { ChannelTools } from '../provider/provider-adapter.ts';
import { examineCallback, parseCallback } from './callback.ts';
import { cancelPayin } from './cancel-payin.ts';
import { check } from './check.ts';
import { createPayin } from './create-payin.ts';
import { callRate } from './exchange.ts';
import { fetchTransactions } from './fetch-statement.ts';
import { queryPayin } from './query-payin.ts';
import { findRefund, refundPayin } from './refund.ts';
import { type OpnAccount, openAccount } from './settings.ts';

/** The channel of one account at Opn. */
export function openOpnChannel(settings: ChannelSettings, tools: ChannelTools): Channel {
  const account = openAccount(settings, tools);
  const creating = new Map<string, Promise<ChannelAnswer>>();
  return {
    creates: { account: account.limiterAccount, rate: callRate },
    create(order, signal) {
      // Creates of one order that run in this process at once share one call.
      const key = JSON.stringify([order.orderNo, order.amount, order.currency]);
      const running = creating.get(key);
      if (running) return running;
      const answer = createPayin(account, order, signal).finally(() => creating.delete(key));
      creating.set(key, answer);
      return answer;
    },
    query: (order, signal) => queryPayin(account, order, signal),
    cancel: (order, signal) => cancelPayin(account, order, signal),
    qrImage: async (payLink, signal) => (isOpns(account, payLink) ? account.http.fetchImage(payLink, signal) : null),
    parseCallback: (headers, body) => parseCallback(account, headers, body),
    examineCallback: (headers, body) => examineCallback(account, headers, body),
    fetchStatement: (request, signal) => fetchTransactions(account, request, signal),
    check: (signal) => check(account, signal),
    refund: (refund, signal) => refundPayin(account, refund, signal),
    queryRefund: (refund, signal) => findRefund(account, refund, signal),
  };
}

/** Whether an image is Opn's own. Its address holds a token, so that it needs no key. */
function isOpns({ baseUrl }: OpnAccount, link: string): boolean {
  const url = URL.parse(link);
  if (url === null) return false;
  return url.origin === new URL(baseUrl).origin || (url.protocol === 'https:' && url.hostname.endsWith('.omise.co'));
}
