import type { OrderFilter } from '@tidegate/domain/lists';

/** The sorts of the order list. Each can be reversed. */
export const sorts = ['created', 'completed', 'amount'] as const;
export type Sort = (typeof sorts)[number];

/** One value of a filter. */
export interface Choice {
  label: string;
  filter: OrderFilter;
}

/**
 * A filter of the console with example values. Some filters allow only some sorts, where no index serves the others.
 */
export interface Part {
  name: string;
  sorts: readonly Sort[];
  choices: readonly Choice[];
}

/** Values of the filled database, some frequent and some rare. */
export interface KnownValues {
  largestMerchant: string;
  smallestMerchant: string;
  someMerchants: readonly string[];
  oldest: number;
  newest: number;
  order: { orderNo: string; merchantOrderNo: string; channelRef: string; account: string; phone: string; name: string };
  reference: string;
}

const hour = 3_600_000;

/** All filters of the console, with values that match nearly all orders, few orders, and none. */
export function offeredParts(known: KnownValues): readonly Part[] {
  const part = (name: string, choices: Record<string, OrderFilter>, of: readonly Sort[] = sorts): Part => ({
    name,
    sorts: of,
    choices: Object.entries(choices).map(([label, filter]) => ({ label, filter })),
  });
  const { newest, oldest, order } = known;
  const middle = (newest + oldest) / 2;
  return [
    part('merchant', {
      largest: { merchantIds: [known.largestMerchant] },
      smallest: { merchantIds: [known.smallestMerchant] },
      'ten of them': { merchantIds: [...known.someMerchants] },
      unknown: { merchantIds: ['UNKNOWN'] },
    }),
    part('country', { one: { countries: ['IN'] }, 'all but one': { countries: ['CN', 'TH', 'IN'] } }),
    part('currency', { one: { currencies: ['PKR'] } }),
    part('kind', { payin: { kind: 'payin' }, payout: { kind: 'payout' } }),
    part('status', {
      most: { statuses: ['completed'] },
      some: { statuses: ['failed', 'timeout'] },
      few: { statuses: ['processing'] },
      none: { statuses: ['market_available'] },
    }),
    part('channel', { half: { channelIds: ['bank-0'] }, none: { channelIds: ['bank-9'] } }),
    part('bank code', {
      frequent: { bankCodes: ['QR'] },
      rare: { bankCodes: ['BANK29'] },
      none: { bankCodes: ['NONE'] },
    }),
    part('failure reason', {
      frequent: { failureReasons: ['not paid in time'] },
      rare: { failureReasons: ['the payment channel did not answer in time'] },
      none: { failureReasons: ['unknown'] },
    }),
    ...ranges(part, newest, middle),
    part('notification', {
      exhausted: { notificationStates: ['exhausted'] },
      pending: { notificationStates: ['pending'] },
      delivered: { notificationStates: ['delivered'] },
    }),
    ...finders(part, order, known.reference),
  ];
}

type MakePart = (name: string, choices: Record<string, OrderFilter>, of?: readonly Sort[]) => Part;

function ranges(part: MakePart, newest: number, middle: number): Part[] {
  return [
    // Creation and completion are close together: a filter for both would read nearly the same orders twice.
    part(
      'created',
      {
        'last day': { createdFrom: newest - 24 * hour },
        'an hour in the middle': { createdFrom: middle, createdTo: middle + hour },
        'older half': { createdTo: middle },
        nothing: { createdFrom: newest + 1_000 * hour },
      },
      ['created', 'amount'],
    ),
    part(
      'completed',
      {
        'a day in the middle': { completedFrom: middle, completedTo: middle + 24 * hour },
        nothing: { completedFrom: newest + 1_000 * hour },
      },
      ['completed'],
    ),
    part('amount', {
      'almost all': { amountFrom: '200' },
      few: { amountFrom: '5000', amountTo: '5001' },
      nothing: { amountFrom: '900000000' },
    }),
  ];
}

function finders(part: MakePart, order: KnownValues['order'], reference: string): Part[] {
  return [
    part('order number', {
      one: { orderNo: order.orderNo },
      'a beginning of few': { orderNoStartsWith: order.orderNo.slice(0, 10) },
      'a beginning of all payins': { orderNoStartsWith: 'PI0' },
      unknown: { orderNo: 'PI00000000000000000000000ZZ' },
    }),
    part('merchant order number', {
      one: { merchantOrderNo: order.merchantOrderNo },
      'a beginning of few': { merchantOrderNoStartsWith: order.merchantOrderNo.slice(0, -1) },
      'a beginning of all': { merchantOrderNoStartsWith: 'M-4' },
      unknown: { merchantOrderNoStartsWith: 'X-1' },
    }),
    part('channel reference', { one: { channelRef: order.channelRef }, unknown: { channelRef: 'unknown' } }),
    part('bank reference', { one: { bankReference: reference }, unknown: { bankReference: 'unknown' } }),
    part('account', {
      few: { account: order.account },
      'every tenth order': { account: 'POOL000001' },
      unknown: { account: '0000000000' },
    }),
    part('phone', { few: { phone: order.phone }, unknown: { phone: '1234567890' } }),
    part('name', {
      few: { partyName: order.name },
      frequent: { partyName: 'aa0 r' },
      unknown: { partyName: 'nobody' },
    }),
    part('search', {
      'an order number': { search: order.orderNo },
      digits: { search: order.account },
      'a beginning of all': { search: 'M-4' },
      unknown: { search: 'Nobody Known' },
    }),
  ];
}

export interface Combination {
  label: string;
  filter: OrderFilter;
  sort: Sort;
  isReversed: boolean;
  /** The number of combined filters. */
  parts: number;
}

/** All combinations of up to `most` filters, with each value and each sort that these filters allow. */
export function* combinationsOf(parts: readonly Part[], most: number): Generator<Combination> {
  for (const chosen of choices(parts, most)) {
    const label = chosen.map(({ part, choice }) => `${part.name}: ${choice.label}`).join(', ') || 'no filter';
    const filter = Object.assign({}, ...chosen.map(({ choice }) => choice.filter));
    for (const sort of sorts)
      if (chosen.every(({ part }) => part.sorts.includes(sort)))
        for (const isReversed of [false, true])
          yield {
            label: `${label}; by ${sort}${isReversed ? ', reversed' : ''}`,
            filter,
            sort,
            isReversed,
            parts: chosen.length,
          };
  }
}

interface Chosen {
  part: Part;
  choice: Choice;
}

function* choices(parts: readonly Part[], most: number): Generator<Chosen[]> {
  yield [];
  if (most === 0) return;
  for (const [i, part] of parts.entries())
    for (const choice of part.choices)
      for (const others of choices(parts.slice(i + 1), most - 1)) yield [{ part, choice }, ...others];
}
