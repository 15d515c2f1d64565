import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * Node loads the modules, as it does in production. Through Vite's own loader, every access to an import is a call, and the same
 * tests take 5 % more processor time.
 */
const native = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--import', path('tests/resolve-testing.mjs')],
  setupFiles: [path('tests/own-words.ts')],
};

/** Pure code: no database, no network, no process. Files share a process, so what they import is loaded once. */
const unit: TestProjectConfiguration = {
  root: path('.'),
  test: {
    ...native,
    name: 'unit',
    include: ['{packages,tools}/*/src/**/*.unit.test.ts', 'tests/**/*.unit.test.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
};

/** What a test polls for may take this long on a busy machine. The default is one second. */
const patient = { expect: { poll: { timeout: 30_000 } } };

const inOneProcess = {
  ...native,
  ...patient,
  exclude: ['**/*.unit.test.ts', '**/*.nightly.test.ts', '**/*.measured.test.ts', '**/node_modules/**'],
  // For what hangs. A busy machine is no failure, and files have limits of their own.
  testTimeout: 120_000,
  hookTimeout: 180_000,
};

/**
 * Files with a process of their own. The address guard counts every socket of its process. Alipay's SDK changes how all sockets of its process are
 * destroyed, which breaks the HTTP client of others.
 */
const alone = ['packages/worker/src/address-guard*.test.ts', 'packages/upstream/src/alipay/sdk.test.ts'];

/**
 * PostgreSQL, Redis and HTTP in one process. Files share a process as those of the unit tier: what one leaves behind (a
 * setting of the environment, a spy, a connection) meets the next.
 */
const integration: TestProjectConfiguration[] = [
  {
    root: path('.'),
    test: {
      ...inOneProcess,
      name: 'integration',
      include: ['{packages,tools}/*/{src,test}/**/*.test.ts'],
      exclude: [...inOneProcess.exclude, ...alone],
      execArgv: [...native.execArgv, '--import', path('packages/domain/test/discover-once.ts')],
      isolate: false,
    },
  },
  {
    root: path('.'),
    test: { ...inOneProcess, name: 'integration-alone', include: alone },
  },
];

// Real processes, many of them waiting for each other: the tests of one file run side by side.
const whole = { ...native, ...patient, maxConcurrency: 64, testTimeout: 180_000, hookTimeout: 180_000 };

/** The processes that tests start load their compiled code from here: it takes them half the time. */
const compiled = { NODE_COMPILE_CACHE: path('node_modules/.cache/tidegate-compiled') };

const system: TestProjectConfiguration = {
  root: path('.'),
  test: {
    name: 'system',
    include: ['tests/**/*.test.ts'],
    // `npm run test:mutation` installs packages under tests/mutation, and some of them bring tests.
    exclude: [
      'tests/nightly/**',
      'tests/measured/**',
      'tests/architecture.test.ts',
      'tests/repository/**',
      '**/*.unit.test.ts',
      '**/node_modules/**',
    ],
    ...whole,
    env: compiled,
  },
};

const nightly: TestProjectConfiguration[] = [
  {
    root: path('.'),
    test: {
      name: 'nightly',
      include: ['tests/nightly/**/*.test.ts', '{packages,tools}/*/src/**/*.nightly.test.ts'],
      ...whole,
      env: compiled,
    },
  },
  // Random cases, many times as many.
  {
    ...unit,
    test: {
      ...unit.test,
      name: 'deep properties',
      include: ['{packages,tools}/*/src/**/{*properties,payout-movements}.unit.test.ts'],
      env: { TIDEGATE_TEST_DEPTH: '20' },
      testTimeout: 300_000,
    },
  },
  // Rows are tampered with before and after they were verified, files of a day come in every order, and lines of an order in many versions.
  {
    root: path('packages/domain'),
    test: {
      ...inOneProcess,
      name: 'deep cases',
      include: [
        'src/audit/tampered-*.test.ts',
        'src/reconciliation/versions/{order,lines}-of-files.test.ts',
        'src/reconciliation/**/*-of-order.model.test.ts',
      ],
      env: { TIDEGATE_TEST_DEPTH: '20' },
    },
  },
  // What matters most of the ledger and of delivery again, on tables that are partitioned by merchant.
  {
    root: path('packages/domain'),
    test: {
      ...native,
      name: 'partitioned',
      include: [
        'ledger/*.model',
        'ledger/writer',
        'ledger/commit-failures',
        'notifications/queries',
        'audit/audit',
        'audit/tampered-*',
        'audit/audit-under-load',
        'audit/seals/*',
        'notifications/deliver-notification',
        'database/purge-old-rows',
        'orders/list-orders',
      ].map((file) => `src/${file}.test.ts`),
      env: { TIDEGATE_TEST_PARTITIONS: '4', TIDEGATE_TEST_DEPTH: '20' },
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  },
];

// Times and sizes, compared with those of something else in the same run.
const measured: TestProjectConfiguration = {
  root: path('.'),
  test: {
    name: 'measured',
    include: ['tests/measured/**/*.test.ts', '{packages,tools}/*/src/**/*.measured.test.ts'],
    ...whole,
    env: compiled,
  },
};

const architecture: TestProjectConfiguration = {
  root: path('.'),
  test: {
    ...native,
    name: 'architecture',
    include: ['tests/architecture.test.ts', 'tests/repository/*.test.ts'],
    testTimeout: 180_000,
  },
};

const tiers: Record<string, TestProjectConfiguration[]> = {
  architecture: [architecture],
  unit: [unit],
  integration,
  system: [system],
  nightly,
  measured: [measured],
};

/** npm test runs one tier after the other and says which; without it every tier is there, for editors. */
const tier = process.env.TIDEGATE_TEST_TIER;

/** On two cores: tests wait about as long as they compute, except those of the unit tier. vitest's own default leaves one core to itself. */
const workers: Record<string, number> = { unit: 2, integration: 5, system: 3, nightly: 2, measured: 2 };

export default defineConfig({
  test: {
    maxWorkers: workers[tier ?? ''] ?? 2,
    globalSetup: 'tests/global-setup.ts',
    // A sequencer of ours would win over --sequence.shuffle.files.
    sequence: process.argv.some((argument) => argument.startsWith('--sequence.')) ? {} : { sequencer: LongestFirst },
    projects: tier === undefined ? Object.values(tiers).flat() : (tiers[tier] ?? []),
  },
});
