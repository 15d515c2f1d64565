import * as z from 'zod';
import { findChannel } from '../../channels/index.ts';
import { removeRoute as remove, setRoute as set } from '../../configuration/index.ts';
import { exceeds } from '../../core/money.ts';
import { changeConfiguration } from '../../ledger/index.ts';
import { amount, bankCode, channelId, choice, count, kind, merchantId } from '../input-schemas.ts';
import { onMerchant } from '../operation.ts';
import { withoutAbsent } from '../without-absent.ts';

const routeNo = () => count("The route's number among the merchant's.");
const subject = (input: { routeNo: number }): string => `route ${input.routeNo}`;

export const setRoute = onMerchant({
  summary:
    "Set one of a merchant's routes: which of its orders may go through which channel. Two operators have to agree.",
  roles: ['admin'],
  input: z
    .strictObject({
      merchantId: merchantId(),
      routeNo: routeNo(),
      kind: kind(),
      channelId: channelId('The channel that carries them.'),
      mode: choice('upstream (default), market or manual.', ['upstream', 'market', 'manual']).optional(),
      bankCode: bankCode('For orders with this bank code alone.').optional(),
      minAmount: amount('Smallest amount.').optional(),
      maxAmount: amount('Largest amount.').optional(),
      priority: count('The lowest goes first (default 100).').optional(),
      weight: count('Chance among equal priorities (default 1).').optional(),
    })
    .refine(({ minAmount, maxAmount }) => !minAmount || !maxAmount || !exceeds(minAmount, maxAmount), {
      path: ['maxAmount'],
      message: 'must not be below minAmount',
    }),
  subject,
  needsSecond: () => true,
  channelOf: ({ channelId }) => channelId,
  execute: ({ domain, by }, { merchantId, routeNo, ...input }) => {
    const route = withoutAbsent(input);
    return changeConfiguration(domain, { tenant: merchantId, change: 'setRoute' }, by, async (within) => {
      if (!(await findChannel(within, route.channelId))) return { ok: false, rejection: 'channel_not_found' };
      const entity = await set(within, merchantId, routeNo, route);
      return { ok: true, value: { subject: subject({ routeNo }), entity, value: { merchantId, routeNo, ...route } } };
    });
  },
});

export const removeRoute = onMerchant({
  summary: "Take one of a merchant's routes away; orders that went through it go on. Two operators have to agree.",
  roles: ['admin'],
  input: z.strictObject({ merchantId: merchantId(), routeNo: routeNo() }),
  subject,
  needsSecond: () => true,
  execute: ({ domain, by }, { merchantId, routeNo }) =>
    changeConfiguration(domain, { tenant: merchantId, change: 'removeRoute' }, by, async (within) => {
      const entity = await remove(within, merchantId, routeNo);
      if (!entity) return { ok: false, rejection: 'route_not_found' };
      return { ok: true, value: { subject: subject({ routeNo }), entity, value: { merchantId, routeNo } } };
    }),
});
