import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../tools/sandbox/src/wait-until.ts';
import { watchMachineSpeed } from '../machine-speed.ts';
import { payinRequest } from '../payin-requests.ts';
import type { ChaosHarness } from './chaos-harness.ts';
import { callWitness, type Fault, type Testimony } from './faults.ts';
import { clientsOf, openLoad } from './order-load.ts';
import { answerOf, type Placed, RECOVERS_WITHIN_MS, type Tally } from './place-order.ts';
import { type Proof, proveOrders } from './prove-orders.ts';
import type { ProbeResult } from './six-operations.ts';
import { payOpenOrders, upstreamOrders } from './upstream-book.ts';

/** What was seen under a fault, before all its orders have ended. */
export interface FaultRun {
  readonly fault: Fault;
  readonly prefix: string;
  readonly placed: readonly Placed[];
  readonly tally: Tally;
  readonly upstreamFrom: number;
  /** Orders that had not ended when it ran, and how many were expected. */
  readonly inFlight: number;
  readonly wantedInFlight: number;
  readonly lastedMs: number;
  readonly remark: string | undefined;
  /** From the end of the fault until a create was answered with 0, and until such an order was completed. */
  readonly answersAfterMs: number;
  readonly completesAfterMs: number;
  /** How many times slower than an idle one the machine was until then. */
  readonly slowness: number;
  readonly testimony: Testimony;
  /** What the ledger's audit found as soon as the service worked again. */
  readonly violations: readonly string[];
}

/** How busy the service is under a fault. */
export interface Load {
  /** Orders that are in flight when the fault is injected. */
  readonly inFlight: number;
  /** Clients that go on asking while it lasts, and for a while after it. */
  readonly clients: number;
}

/** The load of a soak, and of the nightly tests with TIDEGATE_TEST_DEPTH. */
export const heavyLoad: Load = { inFlight: 1_000, clients: 12 };
/** The load of the nightly tests. */
export const nightlyLoad: Load = { inFlight: 80, clients: 4 };
/** The load of `npm test`, where other tests run at the same time. */
export const lightLoad: Load = { inFlight: 40, clients: 3 };

const GOES_ON_MS = 1_000;
/** A request that cannot be served is refused within a second without Redis, and within two without another store. */
const REFUSAL_WITHOUT = { redis: { waitMs: 800, workMs: 200 }, others: { waitMs: 1_000, workMs: 1_000 } };
/** Generous: on a busy machine attempts at notifications fail, and the fifth one comes six minutes after the first. */
const ENDS_WITHIN_MS = 600_000;

/** Injects `fault` while orders are in flight and more are asked for, and waits until the service works again. */
export async function injectFault(
  fixture: ChaosHarness,
  fault: Fault,
  { prefix, payers, load: wanted }: { prefix: string; payers: AbortSignal; load: Load },
): Promise<FaultRun> {
  const upstreamFrom = (await upstreamOrders(fixture)).length;
  const load = openLoad(fixture, prefix);
  // Some end at once, by whatever else happens to them.
  await load.open(Math.ceil(wanted.inFlight * 1.1));
  load.keepAsking(wanted.clients);
  const inFlight = await countOpen(fixture, prefix);
  const testimony = callWitness(fixture);
  const speed = watchMachineSpeed(async () => null, 2_000);
  const began = performance.now();
  void payOpenOrders(fixture, { prefix, upstreamFrom, signal: payers }).catch(() => undefined);
  const remark = await fault.inject(fixture, testimony.witness, load.tally);
  const over = performance.now();
  const { answersAfterMs, completesAfterMs } = await recovery(fixture, `${prefix}R`);
  const { slowness } = speed.stop();
  await delay(GOES_ON_MS);
  const violations = await fixture.audit();
  await load.stop();
  const { placed, tally } = load;
  const lastedMs = over - began;
  return {
    fault,
    prefix,
    placed,
    tally,
    upstreamFrom,
    inFlight,
    lastedMs,
    remark,
    answersAfterMs,
    completesAfterMs,
    slowness,
    testimony,
    violations,
    wantedInFlight: wanted.inFlight,
  };
}

/** Proves the orders of a fault; what is wrong with them, and with how the service answered, is in `problems`. */
export async function prove(fixture: ChaosHarness, run: FaultRun): Promise<Proof> {
  const { fault, prefix, placed, upstreamFrom } = run;
  // A request that is refused because Redis is unavailable was refused before any work began.
  const refused = fault.place === 'redis' ? run.testimony.requests.map(({ merchantOrderNo }) => merchantOrderNo) : [];
  const claim = { prefix, placed, upstreamFrom, refused, withinMs: ENDS_WITHIN_MS };
  const proof = await proveOrders(fixture, claim);
  return { ...proof, problems: [...problemsOfService(run), ...proof.problems] };
}

function problemsOfService({
  fault,
  inFlight,
  wantedInFlight,
  answersAfterMs,
  slowness,
  tally,
  testimony: { requests },
  violations,
}: FaultRun): string[] {
  // The wait is a timer of the service. What the service does before and after takes longer on a busy machine.
  const { waitMs, workMs } = fault.place === 'redis' ? REFUSAL_WITHOUT.redis : REFUSAL_WITHOUT.others;
  const allowedMs = waitMs + workMs * slowness;
  const badly = requests.filter(({ code, ms }) => code !== 50300 || ms > allowedMs);
  const missed = fault.missed?.(tally) ?? null;
  return [
    ...violations,
    ...(missed === null ? [] : [missed]),
    ...(inFlight < wantedInFlight ? [`only ${inFlight} orders were in flight`] : []),
    ...(answersAfterMs > fault.answersWithinMs * slowness
      ? [`answers again only after ${seconds(answersAfterMs)}`]
      : []),
    ...badly.map(({ operation, code, ms }) => `${operation} was answered ${code} after ${Math.round(ms)} ms`),
  ];
}

/** One line for a person to read. */
export function summaryOf(run: FaultRun, { ordersProved, repeated, problems }: Proof): string {
  const { fault, tally, inFlight, lastedMs, remark, answersAfterMs, completesAfterMs, slowness, testimony } = run;
  return [
    `${fault.name}${remark === undefined ? '' : ` (${remark})`}: lasted ${seconds(lastedMs)}, ${inFlight} orders in flight;`,
    `${tally.requests} creates: ${tally.acknowledged} acknowledged, ${tally.refused} refused, ${tally.unavailable} answered 50300,`,
    `${tally.ended} answered 50401, ${tally.foundExisting} answered 40901, ${tally.unknown} unknown;`,
    `${ordersProved} orders ended as expected, ${problems.length} problems, ${repeated} notifications repeated;`,
    `answers again after ${seconds(answersAfterMs)}, completes orders after ${seconds(completesAfterMs)} (machine ${slowness.toFixed(1)} times slower than idle)`,
    ...slowestRefusals(testimony.requests),
  ].join(' ');
}

function slowestRefusals(requests: readonly ProbeResult[]): string[] {
  if (requests.length === 0) return [];
  const slowest = [...Map.groupBy(requests, ({ operation }) => operation)].map(
    ([operation, answers]) => `${operation} ${seconds(Math.max(...answers.map(({ ms }) => ms)))}`,
  );
  return [`(meanwhile ${requests.length} requests, the slowest answers: ${slowest.join(', ')})`];
}

async function countOpen(fixture: ChaosHarness, prefix: string): Promise<number> {
  const sql = `select count(*)::integer as count from orders
    where starts_with(merchant_order_no, $1) and status in ('created', 'processing', 'partial_paid')`;
  const { rows } = await fixture.ask(({ database }) => database.pool.query<{ count: number }>(sql, [`${prefix}-`]));
  return rows[0]?.count ?? 0;
}

/**
 * Asks for orders until one is answered with code 0, and until such an order is completed. On a busy machine a channel may answer a create too
 * late. The order then fails (decisions 5.3), and another one is asked for.
 */
async function recovery(
  fixture: ChaosHarness,
  prefix: string,
): Promise<{ answersAfterMs: number; completesAfterMs: number }> {
  const merchant = fixture.sandbox.file.merchants.find((one) => one.country === 'CN');
  const client = clientsOf(fixture).get(merchant?.merchantNo ?? '');
  if (!client) throw new Error('the sandbox has no merchant of CN');
  const began = performance.now();
  let tries = 0;
  let orderNo = '';
  const answers = async (): Promise<boolean> => {
    tries += 1;
    const notifyUrl = `${fixture.sandbox.file.receiverUrl}/notify/${merchant?.merchantNo}`;
    const answer = await answerOf(
      client.post('/payin/create', payinRequest.CN?.(`${prefix}${tries}`, '10.00', notifyUrl) ?? {}),
    );
    orderNo = String(answer?.data?.orderNo ?? '');
    return answer?.code === 0;
  };
  await waitUntil('a create is answered with 0 again', answers, { timeoutMs: RECOVERS_WITHIN_MS });
  const answersAfterMs = performance.now() - began;
  let status: unknown;
  const completes = async (): Promise<boolean> => {
    status = (await answerOf(client.get('/payin/query', { orderNo })))?.data?.status;
    if (status === 'failed' || orderNo === '') await answers();
    return status === 'completed';
  };
  await waitUntil('an order is completed again', completes, { timeoutMs: RECOVERS_WITHIN_MS }).catch((error: Error) => {
    throw new Error(`${error.message}; the last one, ${orderNo}, is ${status}`);
  });
  return { answersAfterMs, completesAfterMs: performance.now() - began };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
