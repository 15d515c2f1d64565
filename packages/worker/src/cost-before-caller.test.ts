import type { AddressInfo } from 'node:net';
import { openMetrics } from '@tidegate/process';
import { openRequestCost, routesOf } from '@tidegate/process/testing';
import { expect, test } from 'vitest';
import { buildServer } from './server.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test('on every route of the worker an unknown caller costs at most 1 ms of processor time (ADR 0031)', async () => {
  const dependencies = { database: async () => undefined };
  const parts = { dependencies, metrics: openMetrics('worker'), log: silent, ending: new AbortController().signal };
  const { built: server, routes } = await routesOf(async () => {
    const built = buildServer(parts);
    await built.ready();
    return built;
  });
  const cost = openRequestCost();
  try {
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    expect(routes).toEqual([
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'HEAD /healthz',
      'HEAD /metrics',
      'HEAD /readyz',
    ]);
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      const { ms } = await cost.measure(port, () => ({ method, path }), 1);
      expect.soft(ms, route).toBeLessThanOrEqual(1);
    }
  } finally {
    cost.close();
    await server.close();
  }
});
