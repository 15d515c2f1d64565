import type { Country, PayoutCountry } from './country.ts';
import type { PayinTypes, PayoutTypes } from './interface.generated.ts';

/** The request of a country's payin (contract "Create payin"). */
export type PayinRequest<C extends Country = Country> = PayinTypes[C]['request'];

/** The request of a country's payout (contract "Create payout"). */
export type PayoutRequest<C extends PayoutCountry = PayoutCountry> = PayoutTypes[C]['request'];

export type PayinMetadata = NonNullable<PayinRequest<'CN' | 'IN'>['metadata']>;

/** A query names an order by exactly one of its two numbers. */
export type OrderNumber =
  | { orderNo: string; merchantOrderNo?: undefined }
  | { merchantOrderNo: string; orderNo?: undefined };

/** Contract "States and transitions". */
export type PayinStatus<C extends Country = Country> = PayinTypes[C]['found']['status'];
export type PayoutStatus<C extends PayoutCountry = PayoutCountry> = PayoutTypes[C]['found']['status'];

/** The answer to a payin's create (decisions 5.8). */
export type Payin<C extends Country = Country> = EveryField<PayinTypes[C]['created'], PayinTypes[Country]['created']>;

/**
 * The answer to a payin's query. A field that only the create returns may be missing: in Thailand `payUrl` and `payQr`.
 */
export type PayinState<C extends Country = Country> = EveryField<
  { [K in C]: FoundOrCreated<PayinTypes[K]> }[C],
  PayinTypes[Country]['created' | 'found']
>;

export type Payout<C extends PayoutCountry = PayoutCountry> = EveryField<
  PayoutTypes[C]['created'],
  PayoutTypes[PayoutCountry]['created']
>;

export type PayoutState<C extends PayoutCountry = PayoutCountry> = EveryField<
  { [K in C]: FoundOrCreated<PayoutTypes[K]> }[C],
  PayoutTypes[PayoutCountry]['created' | 'found']
>;

/**
 * A new order, or one that an earlier attempt had created without an answer. In the second case `recovered` is true,
 * and the fields are those of a query: the order may have changed since, and in Thailand `payUrl` and `payQr` are
 * missing.
 */
export type Created<Order> = Order & { recovered: boolean };

type FoundOrCreated<Types extends { found: object; created: object }> = Types['found'] &
  Partial<Omit<Types['created'], keyof Types['found']>>;

/** `Order`, with the fields of other countries readable as undefined. */
export type EveryField<Order, All> = Order extends unknown
  ? Order & { [Field in Exclude<FieldOf<All>, keyof Order>]?: never }
  : never;
type FieldOf<Order> = Order extends unknown ? keyof Order : never;
