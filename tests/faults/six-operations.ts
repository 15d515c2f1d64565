import type { MerchantClient } from '../../tools/sandbox/src/demo/merchant-client.ts';
import { payinRequest } from '../payin-requests.ts';
import { payoutRequest } from '../payout-requests.ts';
import type { ChaosHarness } from './chaos-harness.ts';
import { clientsOf } from './order-load.ts';
import { answerOf } from './place-order.ts';
import { openRunningClock } from './running-clock.ts';

/** How one operation was answered. */
export interface ProbeResult {
  operation: string;
  /** The number that it asked about or for; no order has it. */
  merchantOrderNo: string;
  /** Null: not at all. */
  code: number | null;
  /** Until the answer came, without the time in which this process was stalled. */
  ms: number;
}

type Operation = (client: MerchantClient, no: string, notifyUrl: string) => ReturnType<MerchantClient['get']>;

/** The six operations of the merchant interface. Creates use unused numbers. */
const operations: Record<string, Operation> = {
  'POST /payin/create': (client, no, notifyUrl) =>
    client.post('/payin/create', payinRequest.IN?.(no, '10.00', notifyUrl) ?? {}),
  'GET /payin/query': (client, no) => client.get('/payin/query', { merchantOrderNo: no }),
  'POST /payout/create': (client, no) => client.post('/payout/create', payoutRequest.IN?.(no, '10.00') ?? {}),
  'GET /payout/query': (client, no) => client.get('/payout/query', { merchantOrderNo: no }),
  'GET /wallet': (client) => client.get('/wallet', {}),
  'GET /wallet/transactions': (client) => client.get('/wallet/transactions', { page: '1' }),
};
let calls = 0;

/** Asks for each of the six operations once, all at the same time. */
export async function askSixOperations(fixture: ChaosHarness): Promise<ProbeResult[]> {
  const merchant = fixture.sandbox.file.merchants.find((one) => one.country === 'IN');
  const client = clientsOf(fixture).get(merchant?.merchantNo ?? '');
  if (!client) throw new Error('the sandbox has no merchant of IN');
  const notifyUrl = `${fixture.sandbox.file.receiverUrl}/notify/${merchant?.merchantNo}`;
  calls += 1;
  const clock = openRunningClock();
  const ask = async ([operation, send]: [string, Operation], i: number): Promise<ProbeResult> => {
    const began = clock.now();
    const merchantOrderNo = `SIX-${calls}-${i}`;
    const answer = await answerOf(send(client, merchantOrderNo, notifyUrl));
    return { operation, merchantOrderNo, code: answer?.code ?? null, ms: clock.now() - began };
  };
  return Promise.all(Object.entries(operations).map(ask)).finally(clock.close);
}
