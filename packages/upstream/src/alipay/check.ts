import type { CheckedStep } from '@tidegate/domain/channels';
import { clockStep, reachStep } from '../provider/check-steps.ts';
import { type Gateway, type GatewayAnswer, readReply, sendCall, unanswered } from './gateway.ts';
import { tradeNotExist } from './mapping.ts';
import type { AlipayAccount } from './settings.ts';

const dayMs = 86_400_000;
const certificateWarningDays = 30;

/** An order number that no order has. The check queries it, which changes nothing. */
const noOrder = 'TIDEGATE_CHECK';

/** Checks address, credentials, clock and certificates with one query. */
export async function checkAccount(gateway: Gateway, signal: AbortSignal): Promise<CheckedStep[]> {
  const request = { method: 'alipay.trade.query', content: { out_trade_no: noOrder } };
  const result = await sendCall(gateway, request, signal);
  const certificates = checkCertificates(gateway.account, Date.now());
  if (result.kind !== 'json') return [reachStep(result), ...certificates];
  const answer = readReply(gateway.account, request.method, result);
  return [reachStep(result), checkCredentials(answer), clockStep(result.headers), ...certificates];
}

/** "No such trade" is the right answer to the check. It is signed, so our signature was accepted. */
function checkCredentials(answer: GatewayAnswer): CheckedStep {
  const isOk = answer.kind === 'success' || (answer.kind === 'error' && answer.subCode === tradeNotExist);
  if (isOk) return { step: 'credentials', isOk, detail: 'Alipay accepts our signature, and its own verifies' };
  return { step: 'credentials', isOk, detail: unanswered(answer).detail };
}

function checkCertificates({ certificates }: AlipayAccount, now: number): CheckedStep[] {
  if (!certificates) return [{ step: 'certificate', isOk: true, detail: 'key mode: nothing expires' }];
  return certificates.all.map(({ name, certificate }) => {
    const days = Math.floor((Date.parse(certificate.validTo) - now) / dayMs);
    const isOk = days >= certificateWarningDays;
    return { step: 'certificate', isOk, detail: days < 0 ? `${name}: expired` : `${name}: ${days} days left` };
  });
}
