import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * For tests of packages that the sandbox itself depends on: a dependency in their package.json would be a circle.
 * tsconfig.json says the same to the compiler.
 */
const alias = { '@tidegate/sandbox/testing': path('packages/sandbox/src/testing.ts') };

/** One project per package, called like its folder; a vitest.config.ts of its own counts where there is one. */
const packages = readdirSync(path('packages')).map((name) => {
  const own = path(`packages/${name}/vitest.config.ts`);
  return {
    ...(existsSync(own) ? { extends: own } : {}),
    root: path(`packages/${name}`),
    resolve: { alias },
    test: { name, testTimeout: 30_000, hookTimeout: 120_000 },
  };
});

export default defineConfig({
  test: {
    globalSetup: 'tests/global-setup.ts',
    projects: [
      ...packages,
      // What matters most of the books and of delivery again, on tables that are partitioned by merchant.
      {
        root: path('packages/domain'),
        resolve: { alias },
        test: {
          name: 'partitioned',
          include: [
            ...[
              'store/*.model',
              'store/commit',
              'store/commit-failures',
              'store/delivery-statements',
              'usecases/audit/audit',
            ],
            ...['usecases/deliver-notification', 'usecases/forget-old-rows', 'reads/page-orders'],
          ].map((file) => `src/${file}.test.ts`),
          env: { TIDEGATE_TEST_PARTITIONS: '4' },
          ...{ testTimeout: 60_000, hookTimeout: 120_000 },
        },
      },
      { root: path('.'), test: { name: 'architecture', include: ['tests/architecture.test.ts'], testTimeout: 60_000 } },
      {
        root: path('.'),
        resolve: { alias },
        // Real processes, many of them waiting for each other: the tests of one file run side by side.
        test: {
          name: 'whole',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/architecture.test.ts'],
          maxConcurrency: 64,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
