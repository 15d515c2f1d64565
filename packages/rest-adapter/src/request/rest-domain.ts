import {
  createPayin,
  createPayout,
  type Domain,
  findCheckout,
  findOrder,
  type MerchantProfile,
  type OrderKind,
  type PayinRequest,
  type PayoutRequest,
  payUrlOf,
  readQrImage,
  readWallet,
  readWalletPage,
  takeCallback,
} from '@tidegate/domain';

/** The functions of the domain that this adapter uses. */
export type RestDomain = ReturnType<typeof restDomainOf>;

export type OrderNumber = { orderNo: string } | { merchantOrderNo: string };
export type CallbackOutcome = Awaited<ReturnType<RestDomain['takeCallback']>>;
type CallbackHeaders = Record<string, string | string[] | undefined>;

export function restDomainOf(domain: Domain) {
  return {
    merchant: (merchantId: string) => domain.directory.merchant(merchantId),
    /** Records that a key verified a request. It does not throw, and the caller does not wait. */
    keyUsed: (merchantId: string, keyId: string) => domain.directory.keyUsed(merchantId, keyId),
    createPayin: (merchant: MerchantProfile, request: PayinRequest) => createPayin(domain, merchant, request),
    createPayout: (merchant: MerchantProfile, request: PayoutRequest) => createPayout(domain, merchant, request),
    readWallet: (merchantId: string) => readWallet(domain, merchantId),
    readWalletPage: (merchantId: string, page: number, pageSize: number) =>
      readWalletPage(domain, merchantId, page, pageSize),
    findOrder: (merchantId: string, kind: OrderKind, by: OrderNumber) => findOrder(domain, merchantId, kind, by),
    payUrlOf: (orderNo: string) => payUrlOf(domain, orderNo),
    findCheckout: (token: string) => findCheckout(domain, token),
    readQrImage: (token: string) => readQrImage(domain, token),
    takeCallback: (channelId: string, headers: CallbackHeaders, body: Uint8Array) =>
      takeCallback(domain, channelId, headers, body),
    /** The published service key of this id; null if there is none. */
    serviceKey: (keyId: string) => domain.serviceKeys.published(keyId),
    /** Private networks to which notifications may go. */
    notifyNetworks: domain.notifyNetworks,
    /** Throws if the database does not answer within a second. */
    ready: () => domain.ready(),
  };
}
