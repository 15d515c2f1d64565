import { openTestDomain } from '@tidegate/domain/testing';
import { serveGraphql } from '../src/serve-graphql.ts';
import { warmUp } from '../src/warm-up.ts';
import { silentLive } from './silent-live.ts';

// A process of its own: prints how many milliseconds of a processor the first document of a client takes it. The arguments are
// a database, and whether it warms up before.

const [databaseUrl = '', mode] = process.argv.slice(2);
const { domain, close } = await openTestDomain(databaseUrl);
const live = silentLive(domain);
const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const handle = serveGraphql({ domain, live, log, openSchema: false, countError: ignore });
if (mode === 'warm') await warmUp({ domain, live });
const query = `query Page($first: Int!) {
  orders(first: $first) {
    edges { node { orderNo status channel { channelId } merchant { name wallet { available frozen } } lastNotification { state } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
const operator = {
  operatorId: 'ann',
  roles: ['viewer' as const],
  countries: null,
  merchantIds: null,
  tokenId: null,
  signIn: 'token' as const,
};
const facts = { requestId: 'first', operator, operatorNow: async () => operator };
const before = process.cpuUsage();
const response = await handle({
  body: JSON.stringify({ query, variables: { first: 1 } }),
  accept: undefined,
  signal: AbortSignal.timeout(30_000),
  facts,
});
const answer = (await response.json()) as object;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1_000, answer }));
await close();
