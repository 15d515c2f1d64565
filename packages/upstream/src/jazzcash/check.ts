import type { CheckedStep } from '@tidegate/domain/channels';
import { clockStep, reachStep } from '../provider/check-steps.ts';
import { accountFields, type Gateway, mayCall } from './gateway.ts';
import { describeCode, stateOfCode } from './mapping.ts';
import { isAuthentic, signed } from './signing.ts';
import { earlyErrorOf, readFields, wireInquired } from './wire.ts';

/** A reference that no order has: no order number of the service is encoded like this. */
const noReference = 'TIDEGATECHECK';

/** Queries a transaction that does not exist. Creates and changes nothing. */
export async function check(gateway: Gateway, signal: AbortSignal): Promise<CheckedStep[]> {
  if (!(await mayCall(gateway, signal))) return [{ step: 'reach', isOk: false, detail: 'not sent: the rate limit' }];
  const fields = signed({ ...accountFields(gateway), pp_TxnRefNo: noReference }, gateway.key);
  const result = await gateway.tools.http.send(
    {
      method: 'POST',
      url: gateway.baseUrl + gateway.paths.inquiry,
      body: JSON.stringify(fields),
      headers: { 'content-type': 'application/json' },
    },
    signal,
  );
  const reach = reachStep(result);
  if (result.kind === 'unreadable')
    return [{ ...reach, detail: `${reach.detail}. JazzCash answers HTML to blocked countries` }];
  if (result.kind !== 'json') return [reach];
  const { status, json, headers } = result;
  const credentials: CheckedStep =
    status === 200
      ? checkCredentials(gateway, json)
      : { step: 'credentials', isOk: false, detail: `JazzCash answers HTTP ${status}` };
  return [reach, credentials, clockStep(headers)];
}

function checkCredentials(gateway: Gateway, json: unknown): CheckedStep {
  const step = 'credentials';
  const fields = readFields(json);
  const parsed = wireInquired.safeParse(fields);
  const early = fields && earlyErrorOf(fields);
  if (early !== null) return { step, isOk: false, detail: `JazzCash answers ${describeCode(early)}` };
  if (fields === null || !parsed.success) return { step, isOk: false, detail: 'the answer is not one of JazzCash' };
  const { pp_ResponseCode: inquiryCode, pp_PaymentResponseCode: payment } = parsed.data;
  const isKnown = inquiryCode === '000' || stateOfCode(inquiryCode) === 'missing' || stateOfCode(payment) === 'missing';
  if (!isKnown) return { step, isOk: false, detail: `JazzCash answers ${describeCode(inquiryCode)}` };
  if (isAuthentic(fields, gateway.keys))
    return { step, isOk: true, detail: 'accepted, and the answer’s hash verifies' };
  const otherReading = gateway.keys.map((key) => ({ ...key, hashesEmptyValues: !key.hashesEmptyValues }));
  return isAuthentic(fields, otherReading)
    ? { step, isOk: false, detail: 'the answer verifies only with the other setting of “Hash empty values”' }
    : { step, isOk: false, detail: 'accepted, but the answer’s hash does not verify: check the integrity salt' };
}
