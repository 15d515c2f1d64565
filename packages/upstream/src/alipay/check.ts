import type { CheckedStep } from '@tidegate/domain/channels';
import { describeCode, type Gateway, readReply, sendCall } from './gateway.ts';
import { tradeNotExist } from './mapping.ts';
import type { AlipayAccount } from './settings.ts';

const greatestClockDifferenceMs = 60_000;
const dayMs = 86_400_000;
const certificateWarningDays = 30;

/** A number that no order has: the check queries it, which changes nothing. */
const noOrder = 'TIDEGATE_CHECK';

/** Checks address, credentials, clock and certificates with one query. */
export async function checkAccount(gateway: Gateway, signal: AbortSignal): Promise<CheckedStep[]> {
  const request = { method: 'alipay.trade.query', content: { out_trade_no: noOrder } };
  const result = await sendCall(gateway, request, signal);
  const certificates = checkCertificates(gateway.account, Date.now());
  if (result.kind !== 'json') {
    const detail = result.kind === 'server_error' ? `HTTP ${result.status}` : `${result.kind}: ${result.detail}`;
    return [{ step: 'reach', isOk: false, detail }, ...certificates];
  }
  const answer = readReply(gateway.account, request.method, result);
  const isKnown = answer.kind === 'success' || (answer.kind === 'error' && answer.subCode === tradeNotExist);
  const detail =
    answer.kind === 'none'
      ? answer.detail
      : answer.kind === 'error' && !isKnown
        ? `Alipay answered ${describeCode(answer.code, answer.subCode)}`
        : 'Alipay accepted our signature, and its own verifies';
  return [
    { step: 'reach', isOk: result.status === 200, detail: `HTTP ${result.status}` },
    { step: 'credentials', isOk: isKnown, detail },
    checkClock(result.headers.date, Date.now()),
    ...certificates,
  ];
}

function checkClock(date: string | string[] | undefined, now: number): CheckedStep {
  const theirs = Date.parse(String(date ?? ''));
  if (Number.isNaN(theirs)) return { step: 'clock', isOk: false, detail: 'the answer has no Date' };
  const difference = Math.round((theirs - now) / 1_000);
  const isOk = Math.abs(theirs - now) <= greatestClockDifferenceMs;
  return { step: 'clock', isOk, detail: `Alipay’s clock differs by ${difference} s` };
}

function checkCertificates({ certificates }: AlipayAccount, now: number): CheckedStep[] {
  if (!certificates) return [{ step: 'certificate', isOk: true, detail: 'key mode: nothing expires' }];
  return certificates.all.map(({ name, certificate }) => {
    const days = Math.floor((Date.parse(certificate.validTo) - now) / dayMs);
    const isOk = days >= certificateWarningDays;
    return { step: 'certificate', isOk, detail: days < 0 ? `${name}: expired` : `${name}: ${days} days left` };
  });
}
