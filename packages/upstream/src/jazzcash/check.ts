import type { CheckedStep } from '@tidegate/domain/channels';
import { accountFields, type Gateway, takeTurn } from './gateway.ts';
import { describeCode, stateOfCode } from './mapping.ts';
import { isAuthentic, signed } from './signing.ts';
import { readFields, wireInquired } from './wire.ts';

/** A reference that no order has: it decodes to none of the service's numbers. */
const noReference = 'TIDEGATECHECK';
const mostClockDifference = 60;

/** Asks about a transaction that does not exist. Creates and changes nothing. */
export async function check(gateway: Gateway, signal: AbortSignal): Promise<CheckedStep[]> {
  if (!(await takeTurn(gateway, signal))) return [{ step: 'reach', isOk: false, detail: 'not sent: the rate limit' }];
  const fields = signed({ ...accountFields(gateway), pp_TxnRefNo: noReference }, gateway.key);
  const result = await gateway.tools.http.send(
    {
      ...{ method: 'POST', url: gateway.baseUrl + gateway.paths.inquiry, body: JSON.stringify(fields) },
      headers: { 'content-type': 'application/json' },
    },
    signal,
  );
  if (result.kind === 'unreadable')
    return [{ step: 'reach', isOk: false, detail: `${result.detail}. JazzCash answers HTML to blocked countries` }];
  if (result.kind === 'server_error') return [{ step: 'reach', isOk: false, detail: `HTTP ${result.status}` }];
  if (result.kind !== 'json') return [{ step: 'reach', isOk: false, detail: result.detail }];
  return [
    {
      step: 'reach',
      isOk: result.status === 200,
      detail: `HTTP ${result.status} from ${new URL(gateway.baseUrl).host}`,
    },
    checkCredentials(gateway, result.json),
    checkClock(result.headers.date),
  ];
}

function checkCredentials(gateway: Gateway, json: unknown): CheckedStep {
  const step = 'credentials';
  const fields = readFields(json);
  const parsed = wireInquired.safeParse(fields);
  if (fields === null || !parsed.success) return { step, isOk: false, detail: 'the answer is not one of JazzCash' };
  const { pp_ResponseCode: asked, pp_PaymentResponseCode: payment } = parsed.data;
  const isKnown = asked === '000' || stateOfCode(asked) === 'missing' || stateOfCode(payment) === 'missing';
  if (!isKnown) return { step, isOk: false, detail: `JazzCash answers ${describeCode(asked)}` };
  if (isAuthentic(fields, gateway.keys))
    return { step, isOk: true, detail: 'accepted, and the answer’s hash verifies' };
  const otherReading = gateway.keys.map((key) => ({ ...key, hashesEmptyValues: !key.hashesEmptyValues }));
  return isAuthentic(fields, otherReading)
    ? { step, isOk: false, detail: 'the answer verifies only with the other setting of “Hash empty values”' }
    : { step, isOk: false, detail: 'accepted, but the answer’s hash does not verify: check the integrity salt' };
}

function checkClock(header: string | string[] | undefined): CheckedStep {
  const theirs = Date.parse(String(header ?? ''));
  if (Number.isNaN(theirs)) return { step: 'clock', isOk: false, detail: 'the answer has no Date header' };
  const seconds = Math.round((Date.now() - theirs) / 1_000);
  const isOk = Math.abs(seconds) <= mostClockDifference;
  return { step: 'clock', isOk, detail: `ours is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}` };
}
