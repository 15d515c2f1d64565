import { expect, test } from 'vitest';
import { readConfiguration } from './configuration.ts';

const read = (args: string[], env: NodeJS.ProcessEnv = {}) => readConfiguration(args, env, '/clone');

test('without settings the sandbox has the defaults of docs/contract/sandbox.md', () => {
  expect(read([])).toEqual({
    fresh: false,
    channels: [],
    dataDir: '/clone/.data',
    scheduleScale: 1,
    ports: { rest: 8080, api: 8081, worker: 8082, upstream: 8090, receiver: 8091 },
    databaseUrl: undefined,
    redisUrl: undefined,
  });
});

test('every setting can be changed', () => {
  const env = {
    TIDEGATE_DATA_DIR: 'elsewhere',
    TIDEGATE_PORT_BASE: '9000',
    TIDEGATE_SCHEDULE_SCALE: '0.05',
    DATABASE_URL: 'postgresql://x@y/z',
    REDIS_URL: 'rediss://h:1/2',
  };
  expect(read(['--fresh', '--channels', 'opn,alipay,opn'], env)).toMatchObject({
    fresh: true,
    channels: ['opn', 'alipay'],
    dataDir: '/clone/elsewhere',
    scheduleScale: 0.05,
    ports: { rest: 9000, receiver: 9011 },
    databaseUrl: 'postgresql://x@y/z',
    redisUrl: 'rediss://h:1/2',
  });
  expect(read(['--help'])).toBe('help');
});

test.each<[string, string[], NodeJS.ProcessEnv, string]>([
  ['an unknown argument', ['--frsh'], {}, "Unknown option '--frsh'"],
  ['an argument that is not an option', ['fresh'], {}, 'fresh'],
  ['an unknown provider', ['--channels', 'alipay,paypal'], {}, 'There is no provider paypal'],
  ['another environment', [], { TIDEGATE_ENV: 'staging' }, 'TIDEGATE_ENV has to be sandbox or production'],
  ['a port that is no number', [], { TIDEGATE_PORT_BASE: '80a' }, 'TIDEGATE_PORT_BASE has to be a whole number'],
  ['a first port that is too high', [], { TIDEGATE_PORT_BASE: '65525' }, 'from 1 to 65524'],
  ['a scale of zero', [], { TIDEGATE_SCHEDULE_SCALE: '0' }, 'above 0'],
  ['a negative scale', [], { TIDEGATE_SCHEDULE_SCALE: '-1' }, 'above 0'],
  ['a scale that is no number', [], { TIDEGATE_SCHEDULE_SCALE: 'NaN' }, 'above 0'],
  ['production', [], { TIDEGATE_ENV: 'production' }, 'demo merchants'],
  ['an unknown variable name', [], { TIDEGATE_PORTBASE: '9000' }, 'did you mean TIDEGATE_PORT_BASE?'],
  ['another database', [], { DATABASE_URL: 'mysql://root:hidden@h/d' }, 'begins with postgres://'],
  ['a Redis without scheme', [], { REDIS_URL: 'localhost:6379' }, 'redis://host:port or rediss://'],
  ['a Redis Cluster half encrypted', [], { REDIS_URL: 'redis://:hidden@h,rediss://i' }, 'mixes redis:// and rediss://'],
])('%s is refused', (_name, args, env, message) => {
  expect(() => read(args, env)).toThrow(message);
  expect(() => read(args, env)).not.toThrow('hidden');
});
