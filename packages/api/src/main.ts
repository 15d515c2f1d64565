import { openDomain } from '@tidegate/domain';
import { pino } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { connectRedis } from './connect-redis.ts';
import { drainOnSignal } from './drain.ts';
import { createServer } from './server.ts';

const config = configOrExit();
const log = pino({ name: 'api', level: config.logLevel });
const redis = connectRedis(config.redisUrl, log);
const domain = await openDomain({
  databaseUrl: config.databaseUrl,
  secret: config.secret,
  publicBaseUrl: config.publicBaseUrl,
  // Nothing here calls a channel or changes an order.
  adapters: {},
  nudge: () => {},
  log,
});
const server = createServer({
  domain,
  log,
  environment: config.environment,
  dependencies: { database: () => domain.ready(), redis: () => redis.ping() },
});
drainOnSignal([() => server.close(), () => domain.close(), async () => redis.disconnect()], log);
const address = await server.listen({ port: config.port, host: config.host });
log.info({ address, environment: config.environment }, 'listening');

function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The environment is not right:\n${error.message}`);
    process.exit(1);
  }
}
