import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aMerchant, openTestDomain } from '../../packages/domain/src/testing/index.ts';
import { aCreate } from '../../packages/domain/src/testing/payins.ts';
import { createTestDatabase } from '../../tools/sandbox/src/testing.ts';
import { type FaultProxy, proxyTo } from './fault-proxy.ts';

let echo: Server;
let proxy: FaultProxy;
const open: Socket[] = [];
beforeAll(async () => {
  echo = createServer((socket) => void socket.on('error', () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await proxyTo(`redis://127.0.0.1:${(echo.address() as AddressInfo).port}`);
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
  proxy.repair();
});
afterAll(async () => {
  await proxy.close();
  echo.close();
});

/** A client that keeps what it receives, and knows whether it still has a connection. */
function client(): { say(text: string): void; received(): string; isOver(): boolean } {
  const socket = createConnection(Number(new URL(proxy.url).port), '127.0.0.1');
  open.push(socket);
  let received = '';
  let over = false;
  socket.on('error', () => {}).on('data', (bytes) => (received += bytes));
  socket.on('close', () => (over = true));
  return { say: (text) => void socket.write(text), received: () => received, isOver: () => over };
}

test('without a fault, bytes pass unchanged', async () => {
  const one = client();
  one.say('hello');
  await expect.poll(() => one.received()).toBe('hello');
});

test('the fault "frozen": no bytes pass until the repair, then all bytes in order', async () => {
  const [one, other] = [client(), client()];
  one.say('1');
  other.say('A');
  await expect.poll(() => one.received() + other.received()).toBe('1A');
  proxy.freeze();
  for (const text of ['2', '3', '4']) one.say(text);
  const late = client();
  late.say('late');
  proxy.repair();
  other.say('B');
  await expect.poll(() => [one.received(), other.received(), late.received()]).toEqual(['1234', 'AB', 'late']);
});

test('the fault "silent": existing connections stay open and silent, and new connections work after the repair', async () => {
  const closed = client();
  closed.say('1');
  await expect.poll(() => closed.received()).toBe('1');
  proxy.silence();
  closed.say('2');
  proxy.repair();
  const fresh = client();
  fresh.say('new');
  await expect.poll(() => fresh.received()).toBe('new');
  expect([closed.received(), closed.isOver()]).toEqual(['1', false]);
});

test('the fault "refused": existing and new connections are closed', async () => {
  const one = client();
  one.say('1');
  await expect.poll(() => one.received()).toBe('1');
  proxy.refuse();
  const other = client();
  await expect.poll(() => [one.isOver(), other.isOver()]).toEqual([true, true]);
});

test('the fault "cut": half of one reply arrives and the connection is closed, and the next reply is complete', async () => {
  const before = proxy.cuts();
  proxy.cutReplies(1);
  const one = client();
  one.say('12345678');
  await expect.poll(() => [one.received(), one.isOver()]).toEqual(['1234', true]);
  const other = client();
  other.say('12345678');
  await expect.poll(() => other.received()).toBe('12345678');
  expect(proxy.cuts() - before).toBe(1);
});

test('the fault "late": each direction takes the given delay', async () => {
  proxy.delay(60);
  const one = client();
  const began = performance.now();
  one.say('slow');
  await expect.poll(() => one.received()).toBe('slow');
  expect(performance.now() - began).toBeGreaterThanOrEqual(115);
});

test('a COMMIT whose answer is cut off takes effect, the ledger writer tries again, and the order exists once', async () => {
  const { url } = await createTestDatabase();
  const direct = await openTestDomain(url);
  const link = await proxyTo(url);
  const through = await openTestDomain(link.url);
  try {
    const { merchantId } = await aMerchant(through.domain, 'CN');
    link.cutCommits(2);
    expect(await through.domain.commit(aCreate(merchantId, 'CN'))).toMatchObject({ ok: true });
    expect(link.cuts()).toBe(2);
    const { rows } = await direct.domain.database.pool.query('select status from orders where merchant_id = $1', [
      merchantId,
    ]);
    expect(rows).toEqual([{ status: 'created' }]);
  } finally {
    await through.close();
    await direct.close();
    await link.close();
  }
});
