import type { FetchedStatement, StatementRequest } from '@tidegate/domain/channels';
import type { HttpDownload } from '../provider/http-client.ts';
import { call, type Gateway, unanswered } from './gateway.ts';
import { wireBillDownloadUrl } from './wire.ts';

/** The statement format that reads the bill. */
export const alipayStatement = 'alipay-bill';
/** The format reads no larger zip file. */
const maxBytes = 64 * 1024 * 1024;
/** Alipay has no bill of the day: it is not ready yet, or there was no payment. */
const noBill = new Set(['isp.bill_not_exist', 'isp.bill-not-exist', 'BILL_NOT_EXIST']);

/**
 * The daily bill of payments. Its address is valid for 30 seconds, so the file is opened at once.
 * https://docs.open.alipay.com/api_15/alipay.data.dataservice.bill.downloadurl.query
 */
export async function fetchBill(
  gateway: Gateway,
  { format, day }: StatementRequest,
  signal: AbortSignal,
): Promise<FetchedStatement> {
  if (format !== alipayStatement) return { outcome: 'unknown', detail: 'Alipay has no statement of this format' };
  const request = {
    method: 'alipay.data.dataservice.bill.downloadurl.query',
    content: { bill_type: 'trade', bill_date: day },
  };
  const answer = await call(gateway, request, signal);
  if (answer.kind === 'error' && noBill.has(answer.subCode))
    return { outcome: 'not_ready', detail: 'Alipay has no bill of this day: not made yet, or nothing was paid' };
  if (answer.kind !== 'success') return { outcome: 'unknown', detail: unanswered(answer).detail };
  const parsed = wireBillDownloadUrl.safeParse(answer.node);
  if (!parsed.success) return { outcome: 'unknown', detail: 'the answer has no address of a bill' };
  const { bill_download_url: url } = parsed.data;
  if (!isSafe(url, gateway.account.gatewayUrl))
    return { outcome: 'unknown', detail: 'the address of the bill is not HTTPS' };
  return fetched(await gateway.tools.http.download({ url, maxBytes }, signal));
}

/**
 * The file may be on another host. Without HTTPS it must be on the host of the gateway, which then is in a private
 * network.
 */
function isSafe(url: string, gatewayUrl: string): boolean {
  const { protocol, origin } = new URL(url);
  return protocol === 'https:' || origin === new URL(gatewayUrl).origin;
}

function fetched(download: HttpDownload): FetchedStatement {
  if (download.kind === 'file') return { outcome: 'ready', bytes: download.bytes };
  if (download.kind === 'server_error') return { outcome: 'unknown', detail: `HTTP ${download.status}` };
  return { outcome: 'unknown', detail: `${download.kind}: ${download.detail}` };
}
