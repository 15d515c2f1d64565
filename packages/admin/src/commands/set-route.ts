import { changeConfiguration, setRoute } from '@tidegate/domain';
import { done } from '../answer.ts';
import { defineCommand } from '../command.ts';
import { argument, given, oneOf, optional, required } from '../fields.ts';
import { findMerchant, noMerchant } from '../lookups.ts';
import { amount, bankCode, channelId, count, kind, merchantNo } from '../readers.ts';

export const setRouteCommand = defineCommand({
  name: 'set-route',
  group: 'Merchants',
  summary: "set one of a merchant's routes: which of its orders may go through which channel",
  kind: 'change',
  role: 'admin',
  fields: {
    merchant: argument('<merchant>', 'its merchant number', merchantNo),
    routeNo: argument('<route-no>', 'a number; one that is there is replaced', count),
    kind: required('--kind <kind>', 'payin or payout', kind),
    channelId: required('--channel <channel>', 'the channel', channelId),
    mode: optional('--mode <mode>', 'upstream (default), market or manual', oneOf('upstream', 'market', 'manual')),
    bankCode: optional('--bank-code <code>', 'for this bank code alone', bankCode),
    minAmount: optional('--min-amount <amount>', 'smallest amount', amount),
    maxAmount: optional('--max-amount <amount>', 'largest amount', amount),
    priority: optional('--priority <n>', 'the lowest goes first (default 100)', count),
    weight: optional('--weight <n>', 'chance among equal priorities (default 1)', count),
  },
  async run({ domain, by }, { merchant, routeNo, kind, channelId, ...rest }) {
    if (!(await findMerchant(domain, merchant))) return noMerchant(merchant);
    const route = { kind, channelId, ...given(rest) };
    const change = { merchantId: merchant, change: 'setRoute', subject: `route ${routeNo}`, settings: route };
    await changeConfiguration(domain, change, by, async () => {
      await setRoute(domain, merchant, routeNo, route);
      return true;
    });
    return done(`Route ${routeNo} of ${merchant} leads to ${channelId}.`, { merchantNo: merchant, routeNo, ...route });
  },
});
