import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pgbenchVersion } from './find-pgbench.ts';
import { measurePages, pageTable } from './graphql-pages.ts';
import { prepareGround } from './ground.ts';
import { type Measured, measure, measurements } from './measurements.ts';
import { lineOf, tableOf } from './report.ts';

// npm run bench: what the creation of payouts costs, beside pgbench doing the same on the same machine.

const help = `npm run bench -- [options]
  --seconds <n>   that each measurement counts (default 5)
  --warm-up <n>   seconds before these (default 2)
  --rounds <n>    how often all is measured; the medians are shown (default 1)
  --only <text>   only measurements whose name has this text, and what they are compared with; "pages": those of GraphQL
  --orders <n>    how many orders the pages are read from (default 1000000)
`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '2' },
    rounds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    orders: { type: 'string', default: '1000000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}
const timing = { seconds: positive('seconds', values.seconds), warmUp: positive('warm-up', values['warm-up']) };
const rounds = Math.ceil(positive('rounds', values.rounds));
const wanted = measurements.filter(({ name }) => name.includes(values.only));
const chosen = measurements.filter((one) => wanted.includes(one) || wanted.some(({ peer }) => peer === one.name));

const withPages = 'pages'.includes(values.only);
const orders = Math.ceil(positive('orders', values.orders, 10_000_000));

const pgbench = pgbenchVersion();
if (pgbench === null) {
  console.error('pgbench is not on PATH. It comes with the server package of PostgreSQL (Debian, Ubuntu: postgresql).');
  process.exit(1);
}
console.log(`\nPreparing PostgreSQL, Redis and 1000 merchants; beside ${pgbench}, on ${cpus().length} cores.`);
const ground = await prepareGround(1000);
try {
  const results = new Map<string, Measured[]>(chosen.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const measurement of chosen) {
      const measured = await measure(ground, measurement, timing);
      results.get(measurement.name)?.push(measured);
      console.log(`  ${round}/${rounds}  ${measurement.name}: ${Math.round(measured.perSecond)}/s`);
    }
  }
  const lines = chosen.map((one) => lineOf(one, results.get(one.name) ?? [], results.get(one.peer ?? '')));
  if (lines.length > 0) console.log(`\n${tableOf(lines)}\n`);
  const pages = withPages ? await measurePages(ground, orders, timing.seconds) : [];
  if (withPages) console.log(`\n${pageTable(pages, orders)}\n`);
  const folder = fileURLToPath(new URL('../../../test-output', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = join(folder, `bench-${at.replaceAll(/[:.]/g, '-')}.json`);
  writeFileSync(
    file,
    JSON.stringify(
      { at, cores: cpus().length, cpu: cpus()[0]?.model, pgbench, timing, rounds, lines, orders, pages },
      null,
      2,
    ),
  );
  console.log(`Written to ${file}`);
} finally {
  await ground.stop();
}

function positive(name: string, text: string, most = 600): number {
  const value = Number(text);
  if (value > 0 && value <= most) return value;
  console.error(`--${name} has to be a number above 0, up to ${most}\n\n${help}`);
  process.exit(2);
}
