import { checkOrder } from './check-order.ts';
import { type ClientOptions, type Connection, connectionOf } from './client-options.ts';
import { COUNTRY_CODES, type Country, isCountry, type PayoutCountry } from './country.ts';
import { type CreateOptions, createOrder, defaultsOf, type OrderToCreate } from './create-order.ts';
import type { Wallet } from './interface.generated.ts';
import type { Created, OrderNumber, PayinRequest, PayinState, PayoutRequest, PayoutState } from './orders.ts';
import { read } from './read.ts';
import type { PageRequest, WalletPage } from './wallet.ts';

export interface ReadOptions {
  signal?: AbortSignal | undefined;
}

export interface PayinCalls<C extends Country> {
  /**
   * Collects money from a payer. The call is repeated until the result is certain, but creates only one order: see
   * `Created` and `OutcomeUnknownError`.
   */
  create(request: PayinRequest<C>, options?: CreateOptions): Promise<Created<PayinState<C>>>;
  query(number: OrderNumber, options?: ReadOptions): Promise<PayinState<C>>;
}

export interface PayoutCalls<C extends PayoutCountry> {
  /**
   * Sends money to a payee. The service freezes `netAmount` in the wallet. The call is repeated until the result is
   * certain, but creates only one order.
   */
  create(request: PayoutRequest<C>, options?: CreateOptions): Promise<Created<PayoutState<C>>>;
  query(number: OrderNumber, options?: ReadOptions): Promise<PayoutState<C>>;
}

export interface WalletCalls {
  balance(options?: ReadOptions): Promise<Wallet>;
  /** The wallet's transactions, newest first. */
  transactions(page?: PageRequest, options?: ReadOptions): Promise<WalletPage>;
}

/** The operations of the merchant's country. A call that fails rejects with a TidegateError. */
export type Client<C extends Country = Country> = {
  payin: PayinCalls<C>;
  wallet: WalletCalls;
} & (C extends PayoutCountry ? { payout: PayoutCalls<C> } : unknown);

/**
 * Makes the client of one merchant. It holds no connection and no state: make one, and use it everywhere.
 * @throws TypeError, or InvalidKey, for invalid options
 */
export function createClient<const C extends Country>(options: ClientOptions<C>): Client<C>;
export function createClient(options: ClientOptions): object {
  const { country } = options;
  if (!isCountry(country)) throw new TypeError(`country must be ${COUNTRY_CODES}: ${country}`);
  const connection = connectionOf(options);
  const orders = (kind: 'payin' | 'payout') => ({
    create: (request: OrderToCreate, how?: CreateOptions) =>
      createOrder(connection, kind, { ...defaultsOf(kind, country), ...request }, how),
    query: async (number: OrderNumber, how?: ReadOptions) => queryOrder(connection, kind, number, how?.signal),
  });
  return { payin: orders('payin'), payout: orders('payout'), wallet: walletCalls(connection) };
}

function walletCalls(connection: Connection) {
  return {
    balance: (how?: ReadOptions) => read(connection, '/wallet', {}, how?.signal),
    transactions: ({ page, pageSize }: PageRequest = {}, how?: ReadOptions) =>
      read(connection, '/wallet/transactions', { page, pageSize }, how?.signal),
  };
}

async function queryOrder(
  connection: Connection,
  kind: 'payin' | 'payout',
  { orderNo, merchantOrderNo }: OrderNumber,
  signal: AbortSignal | undefined,
): Promise<object> {
  const wanted = {
    ...(orderNo !== undefined && { orderNo }),
    ...(merchantOrderNo !== undefined && { merchantOrderNo }),
  };
  return checkOrder(await read(connection, `/${kind}/query`, wanted, signal), wanted);
}
