import type { BlockList } from 'node:net';
import {
  type CheckoutView,
  createPayin,
  createPayout,
  type Domain,
  findCheckout,
  findOrder,
  type MerchantProfile,
  type Order,
  type OrderKind,
  type PayinRequest,
  type PayoutRequest,
  payUrlOf,
  type Result,
  readWallet,
  readWalletPage,
  takeCallback,
  type WalletPage,
  type WalletView,
} from '@tidegate/domain';

/** Exactly what this adapter needs of the domain. */
export interface RestDomain {
  merchant(merchantId: string): Promise<MerchantProfile | null>;
  /** Remembers that a key verified. Neither throws nor waits. */
  keyUsed(merchantId: string, keyId: string): void;
  createPayin(merchant: MerchantProfile, request: PayinRequest): Promise<Result<Order>>;
  createPayout(merchant: MerchantProfile, request: PayoutRequest): Promise<Result<Order>>;
  readWallet(merchantId: string): Promise<WalletView>;
  readWalletPage(merchantId: string, page: number, pageSize: number): Promise<WalletPage>;
  findOrder(merchantId: string, kind: OrderKind, by: OrderNumber): Promise<Order | null>;
  payUrlOf(orderNo: string): string;
  findCheckout(token: string): Promise<CheckoutView | null>;
  takeCallback(channelId: string, headers: CallbackHeaders, body: Uint8Array): Promise<CallbackOutcome>;
  /** The published service key of this id; null where there is none. */
  serviceKey(keyId: string): Promise<object | null>;
  /** The former common key while it is published. */
  jwks(): Promise<{ keys: object[] }>;
  /** Networks beyond the public ones where notifications may go. */
  notifyNetworks: BlockList;
  /** Throws when the database does not answer within a second. */
  ready(): Promise<void>;
}

export type OrderNumber = { orderNo: string } | { merchantOrderNo: string };
export type CallbackHeaders = Record<string, string | string[] | undefined>;
export type CallbackOutcome = 'taken' | 'unauthentic' | 'malformed' | 'unknown_channel';

/** The real one. */
export function restDomainOf(domain: Domain): RestDomain {
  return {
    merchant: (merchantId) => domain.directory.merchant(merchantId),
    keyUsed: (merchantId, keyId) => domain.directory.keyUsed(merchantId, keyId),
    createPayin: (merchant, request) => createPayin(domain, merchant, request),
    createPayout: (merchant, request) => createPayout(domain, merchant, request),
    readWallet: (merchantId) => readWallet(domain, merchantId),
    readWalletPage: (merchantId, page, pageSize) => readWalletPage(domain, merchantId, page, pageSize),
    findOrder: (merchantId, kind, by) => findOrder(domain, merchantId, kind, by),
    payUrlOf: (orderNo) => payUrlOf(domain, orderNo),
    findCheckout: (token) => findCheckout(domain, token),
    takeCallback: (channelId, headers, body) => takeCallback(domain, channelId, headers, body),
    serviceKey: (keyId) => domain.serviceKeys.published(keyId),
    jwks: () => domain.serviceKeys.common(),
    notifyNetworks: domain.notifyNetworks,
    ready: () => domain.ready(),
  };
}
