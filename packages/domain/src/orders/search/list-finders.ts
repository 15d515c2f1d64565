import { tagOfOrderNo } from '../../core/order-number.ts';
import { plainReference } from '../../core/plain-reference.ts';
import { plainName } from '../../core/search-text.ts';
import { countries } from '../../countries/index.ts';
import type { Vault } from '../../database/vault.ts';
import type { Add } from '../../lists/values.ts';
import type { OrderFilter } from './order-filter.ts';
import { type Reading, readSearch } from './read-search.ts';
import { accountKeyOf, phoneKeyOf } from './search-keys.ts';

/** A part of a filter that has its own index. */
export interface Finder {
  /** Selects merchant_id and order_no of the orders that it finds. Null: it finds too many to begin with them. */
  source: ((add: Add) => string) | null;
  /** The same as a condition of an order `t`. */
  holds(add: Add): string;
  /** The same as a condition of its row `s` in `order_search`, to be checked row by row. */
  inSearch?(add: Add): string;
}

/** The parts of a filter that finders are made of. */
export const finderParts: ReadonlySet<string> = new Set<keyof OrderFilter>([
  ...(['orderNo', 'orderNoStartsWith', 'merchantOrderNo', 'merchantOrderNoStartsWith'] as const),
  ...(['channelRef', 'bankReference', 'account', 'phone', 'partyName', 'search', 'notificationStates'] as const),
]);

/** Finders of all parts of a filter; every one has to hold. */
export function findersOf(vault: Vault, filter: OrderFilter, maySeePersonal: boolean): Finder[] {
  const search = filter.search == null ? [] : readSearch(filter.search, maySeePersonal);
  return [
    ...partsOf(vault, filter),
    ...(search.length > 0 ? [anyFinder(search.flatMap((reading) => partsOf(vault, reading)))] : []),
    ...(filter.notificationStates == null ? [] : [byNotification(filter.notificationStates)]),
  ];
}

function anyFinder(finders: readonly Finder[]): Finder {
  return {
    source: (add) => finders.map(({ source }) => source?.(add) ?? nothing).join(' union all '),
    holds: (add) => `(${finders.map(({ holds }) => holds(add)).join(' or ')})`,
    inSearch: (add) => `(${finders.map(({ inSearch }) => inSearch?.(add) ?? 'false').join(' or ')})`,
  };
}

/** A finder that leads to few orders: they are looked up once. */
function ofFew(source: (add: Add) => string, holds: (add: Add) => string): Finder {
  return { source, holds, inSearch: (add) => `(s.merchant_id, s.order_no) in (${source(add)})` };
}

type Parts = Reading & Pick<OrderFilter, 'orderNo'>;

function partsOf(vault: Vault, filter: Parts): Finder[] {
  const find = <Value>(value: Value | null | undefined, finder: (value: Value) => Finder): Finder[] =>
    value == null ? [] : [finder(value)];
  return [
    ...find(filter.orderNo, byOrderNo),
    ...find(filter.merchantOrderNo, byMerchantOrderNo),
    ...find(filter.channelRef, byChannelRef),
    ...find(filter.bankReference, byBankReference),
    ...find(filter.account, (typed) => byKey('account_key', accountKeyOf(vault, typed))),
    ...find(filter.phone, (typed) => byKey('phone_key', phoneKeyOf(vault, typed))),
    ...find(filter.orderNoStartsWith, (typed) => byBeginning('order_no', typed)),
    ...find(filter.merchantOrderNoStartsWith, (typed) => byBeginning('merchant_order_no', typed)),
    ...find(filter.partyName, (typed) => byName(plainName(typed))),
  ];
}

const nothing = 'select merchant_id, order_no from order_search where false';
const keysOf = (condition: string): string => `select merchant_id, order_no from order_search where ${condition}`;
/** The row of `order_search` that belongs to the order `t`, for conditions on it. */
const ofOrder = (condition: string): string =>
  `exists (select from order_search s where s.merchant_id = t.merchant_id and s.order_no = t.order_no and ${condition})`;
const none: Finder = { source: () => nothing, holds: () => 'false', inSearch: () => 'false' };

/** Of each merchant with the number's tag at most one. */
function byOrderNo(orderNo: string): Finder {
  return ofFew(
    (add) => `select m.merchant_id, o.order_no from merchant m cross join lateral (
      select o.order_no from orders o where o.merchant_id = m.merchant_id and o.order_no = ${add(orderNo)} offset 0) o
      where m.tag = ${add(tagOfOrderNo(orderNo))}`,
    (add) => `t.order_no = ${add(orderNo)}`,
  );
}

/** Of each merchant at most one. */
function byMerchantOrderNo(merchantOrderNo: string): Finder {
  return ofFew(
    (add) => `select m.merchant_id, o.order_no from merchant m cross join lateral (
      select o.order_no from orders o where o.merchant_id = m.merchant_id and o.merchant_order_no = ${add(merchantOrderNo)} offset 0) o`,
    (add) => `t.merchant_order_no = ${add(merchantOrderNo)}`,
  );
}

function byChannelRef(channelRef: string): Finder {
  return ofFew(
    (add) => `select merchant_id, order_no from orders where channel_ref = ${add(channelRef)}`,
    (add) => `t.channel_ref = ${add(channelRef)}`,
  );
}

/** References that channels reported, and those that operators gave as proof. */
function byBankReference(typed: string): Finder {
  const plain = plainReference(typed);
  const variants = [...new Set([typed.trim(), typed.trim().toUpperCase(), plain])];
  return ofFew(
    (add) => `select merchant_id, order_no from payment where reference = any(${add(variants)}::text[])
      union all select owner, order_no from proof_reference where country = any(${add(countries)}::text[]) and reference = ${add(plain)}`,
    (add) => `(exists (select from payment p where p.merchant_id = t.merchant_id and p.order_no = t.order_no
        and p.reference = any(${add(variants)}::text[]))
      or exists (select from proof_reference r where r.country = t.country and r.reference = ${add(plain)}
        and r.owner = t.merchant_id and r.order_no = t.order_no))`,
  );
}

function byKey(column: 'account_key' | 'phone_key', key: string | null): Finder {
  if (key === null) return none;
  return {
    source: (add) => keysOf(`${column} = ${add(key)}`),
    holds: (add) => ofOrder(`s.${column} = ${add(key)}`),
    inSearch: (add) => `s.${column} = ${add(key)}`,
  };
}

function byBeginning(column: 'order_no' | 'merchant_order_no', beginning: string): Finder {
  return {
    source: (add) => keysOf(`${column} ^@ ${add(beginning)}`),
    holds: (add) => `t.${column} ^@ ${add(beginning)}`,
    inSearch: (add) => `s.${column} ^@ ${add(beginning)}`,
  };
}

/** The beginning of the name, or of its last word. */
function byName(name: string | null): Finder {
  if (name === null) return none;
  return {
    source: (add) => `${keysOf(`name ^@ ${add(name)}`)} union all ${keysOf(`last_name ^@ ${add(name)}`)}`,
    holds: (add) => ofOrder(`(s.name ^@ ${add(name)} or s.last_name ^@ ${add(name)})`),
    inSearch: (add) => `(s.name ^@ ${add(name)} or s.last_name ^@ ${add(name)})`,
  };
}

type NotificationState = NonNullable<OrderFilter['notificationStates']>[number];

/** The conditions of the indexes of notifications that are not acknowledged. Most are: these have no index. */
const unacknowledged: Record<Exclude<NotificationState, 'delivered'>, readonly string[]> = {
  pending: [
    `state = 'pending' and held_by is null and attempt = 0`,
    `state = 'pending' and held_by is null and attempt > 0`,
    `held_by = 'host'`,
    `held_by = 'pause'`,
    `held_by = 'order' and body <> ''`,
  ],
  exhausted: [`state = 'exhausted'`],
};

function byNotification(states: readonly NotificationState[]): Finder {
  const open = states.filter((state) => state !== 'delivered');
  const isOpen = open.length === states.length;
  const conditions = open.flatMap((state) => unacknowledged[state]);
  return {
    source: isOpen
      ? () => conditions.map((one) => `select merchant_id, order_no from notification where ${one}`).join(' union all ')
      : null,
    holds: (add) =>
      `exists (select from notification n where n.merchant_id = t.merchant_id and n.order_no = t.order_no and n.state = any(${add(states)}::text[]))`,
  };
}
