import { afterEach, expect, test, vi } from 'vitest';
import { nodeArgsOf, sourceOf } from './service-scripts.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a built process gets the arguments of its image, and a process from its source gets none', () => {
  vi.stubEnv('TIDEGATE_TEST_NODE_ARGS', '{"worker":["--max-semi-space-size=8"]}');
  expect(nodeArgsOf('/app/packages/worker/dist/packages/worker/src/main.js')).toEqual(['--max-semi-space-size=8']);
  expect(nodeArgsOf('/app/packages/api/dist/packages/api/src/main.js')).toEqual([]);
  expect(nodeArgsOf(sourceOf('packages/worker/src/main.ts'))).toEqual([]);
  vi.unstubAllEnvs();
  expect(nodeArgsOf('/app/packages/worker/dist/packages/worker/src/main.js')).toEqual([]);
});
