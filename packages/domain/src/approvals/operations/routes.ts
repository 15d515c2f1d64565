import * as z from 'zod';
import { findChannel } from '../../channels/index.ts';
import { removeRoute as remove, setRoute as set } from '../../configuration/index.ts';
import { exceeds } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { amount, bankCode, channelId, choice, count, kind, merchantId } from '../input-schemas.ts';
import { onMerchant } from '../operation.ts';
import { always } from '../second-operator-rule.ts';

const routeNo = () => count('Number of the route within the merchant.');
const subject = (input: { routeNo: number }): string => `route ${input.routeNo}`;

export const setRoute = onMerchant({
  summary: 'Create or change a route, which sends orders of a merchant to a channel. Needs a second operator.',
  title: ({ kind, channelId }) => `Send ${kind}s to ${channelId}`,
  roles: ['admin'],
  input: z
    .strictObject({
      merchantId: merchantId(),
      routeNo: routeNo(),
      kind: kind(),
      channelId: channelId('Channel id of the route.'),
      mode: choice('How orders are processed. Default: UPSTREAM.', ['upstream', 'market', 'manual']).optional(),
      bankCode: bankCode('Applies to this bank code only. Default: to all.').optional(),
      minAmount: amount('Minimum order amount.').optional(),
      maxAmount: amount('Maximum order amount.').optional(),
      priority: count('The matching route with the lowest number is used. Default: 100.').optional(),
      weight: count('Relative share among routes of the same priority. Default: 1.').optional(),
    })
    .refine(({ minAmount, maxAmount }) => !minAmount || !maxAmount || !exceeds(minAmount, maxAmount), {
      path: ['maxAmount'],
      message: 'must not be below minAmount',
    }),
  subject,
  versioned: 'route',
  creates: true,
  needsSecond: always,
  channelField: 'channelId',
  execute: ({ domain, by }, { merchantId, routeNo, ...input }) => {
    const route = omitUndefined(input);
    return changeConfiguration(domain, { tenant: merchantId, change: 'setRoute' }, by, async (within) => {
      if (!(await findChannel(within, route.channelId))) return { ok: false, rejection: 'channel_not_found' };
      const entity = await set(within, merchantId, routeNo, route);
      return { ok: true, value: { subject: subject({ routeNo }), entity, value: { merchantId, routeNo, ...route } } };
    });
  },
});

export const removeRoute = onMerchant({
  summary: 'Remove a route of a merchant. Orders already routed continue. Needs a second operator.',
  title: () => 'Remove the route',
  roles: ['admin'],
  input: z.strictObject({ merchantId: merchantId(), routeNo: routeNo() }),
  subject,
  versioned: 'route',
  needsSecond: always,
  execute: ({ domain, by }, { merchantId, routeNo }) =>
    changeConfiguration(domain, { tenant: merchantId, change: 'removeRoute' }, by, async (within) => {
      const entity = await remove(within, merchantId, routeNo);
      if (!entity) return { ok: false, rejection: 'route_not_found' };
      return { ok: true, value: { subject: subject({ routeNo }), entity, value: { merchantId, routeNo } } };
    }),
});
