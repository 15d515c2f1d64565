import type { ChannelAccess, PublicAddress, QrImage } from '../channels/index.ts';
import type { DirectoryAccess } from '../configuration/index.ts';
import type { Country, Currency } from '../core/country.ts';
import { isTerminal, type Order, type OrderStatus } from '../core/order.ts';
import { type CaseSum, moneyOfOrder, type OrderMoney, type PaymentSum } from '../core/order-money.ts';
import type { Telemetry } from '../core/telemetry.ts';
import type { VaultAccess } from '../database/vault.ts';
import type { LedgerReadAccess } from '../ledger/index.ts';

/** The payer's view of a payin. Times are Unix milliseconds. */
export interface CheckoutView {
  /** The merchant of the order, which is not shown. */
  merchantId: string;
  orderNo: string;
  merchantName: string;
  country: Country;
  currency: Currency;
  money: OrderMoney;
  status: OrderStatus;
  payLink: string | null;
  payQr: string | null;
  /** The channel has the QR code only as an image: see `readQrImage`. */
  hasQrImage: boolean;
  expiresAt: number | null;
  returnUrl: string | null;
}

const tokenLength = 32;

/**
 * The checkout page of a payin (decisions 5.9). Its token is the order number and a code that only this service can
 * make.
 */
export function payUrlOf(domain: VaultAccess & PublicAddress, orderNo: string): string {
  return `${domain.publicBaseUrl}/checkout/${orderNo}${domain.vault.tokenOf('checkout', orderNo)}`;
}

/** Only URLs that a browser opens as a page: a merchant's text must not become a script on our page. */
function linkOf(returnUrl: string | undefined): string | null {
  return returnUrl !== undefined && /^https?:\/\//i.test(returnUrl) && URL.canParse(returnUrl) ? returnUrl : null;
}

/** The payin behind a checkout token; null for a token that is not ours. */
export async function findCheckout(domain: CheckoutAccess, token: string): Promise<CheckoutView | null> {
  const order = await findOrderOfToken(domain, token);
  const merchant = order && (await domain.directory.merchant(order.merchantId));
  if (!order || !merchant) return null;
  const { merchantId, orderNo, country, currency, status, payLink, payQr, expiresAt } = order;
  return {
    merchantId,
    orderNo,
    merchantName: merchant.name,
    country,
    currency,
    money: moneyOfOrder(order, order.payments, order.cases),
    status,
    payLink,
    payQr,
    hasQrImage: (await findQrImage(domain, order)) !== null,
    expiresAt,
    returnUrl: linkOf(order.details.returnUrl),
  };
}

/** How long a channel may take to send an image, in ms. A payer waits for it. */
const imageDeadline = 4_000;

/** The image of the payin's QR code, from its channel; null if there is none, or it does not come. */
export async function readQrImage(domain: CheckoutAccess & Telemetry, token: string): Promise<QrImage | null> {
  const order = await findOrderOfToken(domain, token);
  if (!order) return null;
  const fetchImage = await findQrImage(domain, order);
  if (!fetchImage) return null;
  try {
    return await fetchImage(AbortSignal.timeout(imageDeadline));
  } catch (error) {
    domain.log.error({ err: error, channelId: order.channelId, orderNo: order.orderNo }, 'a channel adapter broke');
    return null;
  }
}

type CheckoutAccess = LedgerReadAccess & VaultAccess & DirectoryAccess & ChannelAccess;

/** Fetches the image of an open payin, if its channel gives no text of the QR code. */
async function findQrImage(
  { channels }: ChannelAccess,
  { status, payLink, payQr, channelId }: Order,
): Promise<((signal: AbortSignal) => Promise<QrImage | null>) | null> {
  if (isTerminal(status) || payLink === null || payQr !== null) return null;
  const channel = (await channels(channelId))?.channel;
  return channel?.qrImage ? async (signal) => (await channel.qrImage?.(payLink, signal)) ?? null : null;
}

/** An order with the sums of its payments and cases: see `checkoutOrder`. */
interface CheckoutOrder extends Order {
  payments: readonly PaymentSum[];
  cases: readonly CaseSum[];
}

async function findOrderOfToken(
  { database, directory, sql, vault }: LedgerReadAccess & VaultAccess & DirectoryAccess,
  token: string,
): Promise<CheckoutOrder | null> {
  const orderNo = token.slice(0, -tokenLength);
  if (!/^PI[0-9A-Z]{1,30}$/.test(orderNo)) return null;
  if (!vault.isTokenOf('checkout', orderNo, token.slice(-tokenLength))) return null;
  for (const merchantId of await directory.merchantsOfOrderNo(orderNo)) {
    const { rows } = await database.pool.query<CheckoutOrder>({ ...sql.checkoutOrder, values: [merchantId, orderNo] });
    if (rows[0]) return rows[0];
  }
  return null;
}
