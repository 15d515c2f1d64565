import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeRunFolder } from '@tidegate/sandbox';
import type { Timing } from '../closed-loop.ts';
import { memoryMib } from '../memory-use.ts';
import { orderBody } from '../merchants.ts';
import type { Kind, Row, Run } from '../row.ts';
import { sendToRest } from '../send-to-rest.ts';
import { signRequests } from '../signed-requests.ts';
import { startWholeSandbox, type WholeSandbox } from '../whole-sandbox.ts';

const first = 'npm start to ready, on empty data';
const again = 'npm start to ready, on its data';
const bare = 'memory of a bare fastify process';
const processes = ['rest', 'api', 'worker', 'upstream', 'receiver', 'postgres', 'redis'];
const memoryOf = (name: string, when: 'at rest' | 'under load'): string => `memory of ${name} ${when}`;

const rows: readonly Row[] = [
  { name: first, unit: 's' },
  { name: again, unit: 's' },
  { name: bare, unit: 'MiB' },
  ...processes.flatMap((name) =>
    (['at rest', 'under load'] as const).map((when): Row => {
      const isNode = name !== 'postgres' && name !== 'redis';
      return { name: memoryOf(name, when), unit: 'MiB', ...(isNode && { peers: [bare] }) };
    }),
  ),
];

/**
 * Number of concurrent callers. They create about a thousand CN payins a second on an idle machine, within the demo
 * merchant's limit.
 */
const connections = 2;
const maxPerSecond = 2_000;

/** The start time of `npm start`, and the memory of its processes, at rest and during payins. */
export const sandbox: Kind = {
  rows,
  measure: async ({ environment, timing, idleMs }, _wanted, report) => {
    const database = await environment.freshDatabase();
    const bareRoute = await environment.start('bare-route', database.url);
    await delay(idleMs);
    report(bare, { figure: memoryMib(bareRoute.identity.pid) });
    await bareRoute.stop();
    await database.drop();
    // A folder of its own: a sandbox stops its processes itself, and may still do so after the benchmark has ended.
    const folder = await makeRunFolder();
    try {
      await measureWhole(join(folder.dir, 'whole-sandbox'), { timing, idleMs }, report);
    } finally {
      await folder.remove();
    }
  },
};

async function measureWhole(
  dataDir: string,
  { timing, idleMs }: Pick<Run, 'timing' | 'idleMs'>,
  report: Parameters<Kind['measure']>[2],
): Promise<void> {
  const fresh = await startWholeSandbox(dataDir);
  report(first, { figure: fresh.readyAfter });
  await fresh.stop();
  const running = await startWholeSandbox(dataDir);
  try {
    report(again, { figure: running.readyAfter });
    await delay(idleMs);
    for (const [name, pid] of running.pids) report(memoryOf(name, 'at rest'), { figure: memoryMib(pid) });
    for (const [name, figure] of await underLoad(running, timing)) report(memoryOf(name, 'under load'), { figure });
  } finally {
    await running.stop();
  }
}

/** The highest memory of each process at any sample. */
async function underLoad({ file, pids }: WholeSandbox, timing: Timing): Promise<Map<string, number>> {
  const merchant = file.merchants.find(({ country }) => country === 'CN');
  if (!merchant) throw new Error('the sandbox has no merchant in China');
  const { merchantNo, privateKeyPem } = merchant;
  const port = Number(new URL(file.restUrl).port);
  const count = Math.ceil((timing.warmUp + timing.seconds) * maxPerSecond);
  const notifyUrl = `${file.receiverUrl}/notify/${merchantNo}`;
  const operation = () => ({ merchantNo, path: '/payin/create', body: { ...orderBody('payin'), notifyUrl } });
  const requests = await signRequests(count, privateKeyPem, port, operation);
  const most = new Map<string, number>();
  const look = (): void => {
    for (const [name, pid] of pids) most.set(name, Math.max(most.get(name) ?? 0, memoryMib(pid)));
  };
  const looking = setInterval(look, 500);
  try {
    await sendToRest([port], connections, requests, timing);
    // Payments and notifications come about a second after the create.
    await delay(1_500);
  } finally {
    clearInterval(looking);
  }
  look();
  return most;
}
