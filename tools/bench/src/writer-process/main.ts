import { openBenchDomain } from '../bench-environment.ts';
import { sendToWriter } from '../send-to-writer.ts';
import type { FromWriter, ToWriter } from './messages.ts';

// A process with its own ledger writer, for measurements with several of them. Its parent sends it the loads to create.

const [databaseUrl = ''] = process.argv.slice(2);
const sizes: number[] = [];
const domain = await openBenchDomain(databaseUrl, { batch: ({ size }) => sizes.push(size) });
const say = (message: FromWriter): void => void process.send?.(message);
process.on('message', async ({ load, timing }: ToWriter) => {
  let cpu = process.cpuUsage();
  const rate = await sendToWriter(domain, load, timing, () => {
    sizes.length = 0;
    cpu = process.cpuUsage();
    say('counting');
  });
  const { user, system } = process.cpuUsage(cpu);
  say({ waits: rate.waits, seconds: rate.seconds, batches: sizes.length, cpuUs: user + system });
});
process.once('disconnect', () => void domain.close());
say('ready');
