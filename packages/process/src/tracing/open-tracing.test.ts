import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { makeLog } from '../log.ts';
import { openTracing } from './open-tracing.ts';
import type { Tracing } from './tracing.ts';

const open = (endpoint: string | undefined, ratio = 1): Promise<Tracing> =>
  openTracing('test', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio });

test('without an endpoint there is no tracing: no tracer, no span, and normal log lines', async () => {
  const tracing = await open(undefined);
  expect([tracing.tracer, tracing.begin('GET /', {}), tracing.traceId()]).toEqual([undefined, null, undefined]);
  const lines: string[] = [];
  makeLog('test', 'info', { tracing, destination: { write: (line) => void lines.push(line) } }).info({ a: 1 }, 'one');
  expect(Object.keys(JSON.parse(lines[0] ?? ''))).not.toContain('traceId');
});

test('a span is created only with a parent, from a row or in this process', async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { tracer, begin, close } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  if (!tracer) throw new Error('no tracer');
  expect(await tracer.span({ name: 'alone' }, async () => tracer.current())).toBe(null);
  expect(tracer.past({ name: 'alone', under: 'no traceparent at all' })).toBe(null);
  const row = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const below = await tracer.span({ name: 'job', under: row }, async () => tracer.current());
  expect(below).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
  expect(below).not.toBe(row);
  const request = begin('POST /', {});
  const inRequest = await new Promise<string | null>((resolve) =>
    request?.run(() => setImmediate(() => resolve(tracer.current()))),
  );
  expect(inRequest).toContain(request?.traceId);
  await close();
  server.close();
});

test('the decision not to sample a request also applies to its later work', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk) => received.push(String(chunk)));
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const ratio of [0, 1]) {
    const { tracer, begin, close } = await open(url, ratio);
    const request = begin('POST /', {});
    const row = await new Promise<string | null>((resolve) => request?.run(() => resolve(tracer?.current() ?? null)));
    expect(row).toMatch(ratio === 0 ? /-00$/ : /-01$/);
    await tracer?.span({ name: `job at ${ratio}`, under: row }, async () => undefined);
    request?.end({}, false);
    await close();
  }
  server.close();
  expect(received.join()).toContain('job at 1');
  expect(received.join()).not.toContain('job at 0');
});

test('a span has the type of an error, never its message', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk) => received.push(String(chunk)));
    request.on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { tracer, close } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const failing = tracer?.span({ name: 'job', under: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }, () =>
    Promise.reject(new RangeError('of account 50100098765432')),
  );
  await expect(failing).rejects.toThrow(RangeError);
  await close();
  server.close();
  expect(received.join()).toContain('RangeError');
  expect(received.join()).not.toContain('50100098765432');
});
