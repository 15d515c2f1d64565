import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfiguration } from './configuration.ts';
import { keepSecrets } from './data-dir.ts';
import { leaveOpenWork } from './demo/open-work.ts';
import { demoPayins } from './demo/payins.ts';
import { demoPayouts } from './demo/payouts.ts';
import { table } from './demo/table.ts';
import { readSandboxFile, type SandboxFile } from './sandbox-file.ts';
import { waitUntil } from './wait-until.ts';

// npm run demo: uses the running sandbox, or starts one.

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const configuration = readConfiguration([], process.env, repository);
if (configuration === 'help') throw new Error('no arguments were given');
const { dataDir } = configuration;
const sandboxFile = join(dataDir, 'sandbox.json');
const running = await runningSandbox();
const started = running ? null : await startOne();
try {
  await show(running ?? readSandboxFile(sandboxFile));
} finally {
  await started?.stop();
}

async function show(sandbox: SandboxFile | undefined): Promise<void> {
  if (!sandbox) throw new Error(`${sandboxFile} does not exist`);
  console.log(`\nA payin in each country, created at ${sandbox.restUrl} as a merchant does it:\n`);
  const stories = await demoPayins(sandbox, (line) => console.log(`  ${line}`));
  const head = [
    'country',
    'merchant',
    'order',
    'amount',
    'fee',
    'credited',
    'created as',
    'ended as',
    'seconds',
    'notification',
  ];
  const rows = stories.map((s) => [
    s.country,
    s.merchantNo,
    s.orderNo,
    s.amount,
    s.feeAmount,
    s.netAmount,
    s.created,
    s.ended,
    s.seconds,
    s.notified,
  ]);
  console.log(`\n${table([head, ...rows])}\n`);
  const page = stories.find((story) => story.payUrl !== '–');
  if (page) console.log(`  The page where a payer pays, of ${page.country}'s order:\n  ${page.payUrl}\n`);
  console.log('Payouts of IN and PK, on every route:\n');
  const { keys } = keepSecrets(dataDir);
  const payouts = await demoPayouts(sandbox, keys, (line) => console.log(`  ${line}`));
  const payoutHead = ['payout', 'merchant', 'order', 'amount', 'frozen', 'created as', 'ended as', 'available after'];
  const payoutRows = payouts.map((s) => [
    s.what,
    s.merchantNo,
    s.orderNo,
    s.amount,
    s.frozen,
    s.created,
    s.ended,
    s.available,
  ]);
  console.log(`\n${table([payoutHead, ...payoutRows])}\n`);
  console.log('Work that waits for operators:\n');
  const open = await leaveOpenWork(sandbox, keys);
  console.log(`${table([['shown in', 'what', 'order'], ...open.map((o) => [o.where, o.what, o.orderNo])])}\n`);
  console.log(`  All received notifications: ${sandbox.receiverUrl}/received\n`);
}

/** The sandbox that sandbox.json describes, if it answers. */
async function runningSandbox(): Promise<SandboxFile | undefined> {
  const sandbox = readSandboxFile(sandboxFile);
  const alive =
    sandbox &&
    (await fetch(`${sandbox.restUrl}/readyz`).then(
      (response) => response.ok,
      () => false,
    ));
  return alive ? sandbox : undefined;
}

async function startOne(): Promise<{ stop: () => Promise<void> }> {
  console.log('No sandbox runs here: starting one for the demo.');
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const givenUp = (): string | undefined =>
    child.exitCode === null ? undefined : `npm start ended with ${child.exitCode}`;
  await waitUntil('a ready sandbox', async () => (await runningSandbox()) !== undefined, {
    timeoutMs: 180_000,
    givenUp,
  });
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
