import type { Country, PayoutCountry } from './country.ts';
import type { PayinTypes, PayoutTypes } from './interface.generated.ts';

/** What a country's payin must contain (contract "Create payin"). */
export type PayinRequest<C extends Country = Country> = PayinTypes[C]['request'];

/** What a country's payout must contain (contract "Create payout"). */
export type PayoutRequest<C extends PayoutCountry = PayoutCountry> = PayoutTypes[C]['request'];

export type PayinMetadata = NonNullable<PayinRequest<'CN' | 'IN'>['metadata']>;

/** A query takes exactly one of an order's two numbers. */
export type OrderNumber =
  | { orderNo: string; merchantOrderNo?: undefined }
  | { merchantOrderNo: string; orderNo?: undefined };

/** The statuses of a payin (contract "States and transitions"). */
export type PayinStatus<C extends Country = Country> = PayinTypes[C]['found']['status'];
export type PayoutStatus<C extends PayoutCountry = PayoutCountry> = PayoutTypes[C]['found']['status'];

/** The answer to creating a payin (decisions 5.8). */
export type Payin<C extends Country = Country> = EveryField<PayinTypes[C]['created'], PayinTypes[Country]['created']>;

/**
 * The answer to querying a payin. Some fields are only in the answer to the create: in Thailand `payUrl` and `payQr`.
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
 * An order that is new (`recovered` is false), or that an earlier attempt created without an answer (`recovered` is
 * true). A recovered order has the fields of a query: it may have changed since, and in Thailand `payUrl` and `payQr`
 * are missing.
 */
export type Created<Order> = Order & { recovered: boolean };

type FoundOrCreated<Types extends { found: object; created: object }> = Types['found'] &
  Partial<Omit<Types['created'], keyof Types['found']>>;

/** `Order`, with fields that only other countries have as undefined, so that they can be read. */
export type EveryField<Order, All> = Order extends unknown
  ? Order & { [Field in Exclude<FieldOf<All>, keyof Order>]?: never }
  : never;
type FieldOf<Order> = Order extends unknown ? keyof Order : never;
