import {
  type HostRecord,
  hostFilter,
  loadMerchants,
  loadWaiting,
  pageHosts,
  type Waiting,
} from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';
import { loaded } from '../graphql/loaded.ts';
import { connectionOf, pageOf, scopeOf } from '../graphql/paging.ts';
import { marksOf } from '../queue/marks-of.ts';

const WaitingType = builder.objectRef<Waiting>('WaitingNotifications').implement({
  description: 'Due notifications that wait for a host, or for the end of a pause.',
  fields: (t) => ({
    count: t.int({ description: 'Number of notifications, at most 10,000.', resolve: ({ waiting }) => waiting }),
    isExact: t.exposeBoolean('isExact', { description: 'False if there are at least `count` notifications.' }),
    oldestAt: t.expose('oldestAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the oldest was due. Null if none waits.',
    }),
  }),
});

const NotificationHostType = builder.objectRef<HostRecord>('NotificationHost').implement({
  description: 'A host that gets notifications of a merchant. Attempts are counted about 2 minutes later.',
  fields: (t) => ({
    merchantId: t.exposeString('merchantId', { description: 'Merchant number of the receiver.' }),
    host: t.exposeString('host', { description: 'Name and port of the host.' }),
    waiting: t.loadable({
      type: WaitingType,
      description: 'Notifications that wait for this host now.',
      load: (keys: string[], context) => loadWaiting(context.domain, keys.map(hostOf)),
      resolve: ({ merchantId, host }) => `${merchantId} ${host}`,
    }),
    isPaused: t.loadable({
      type: 'Boolean',
      description: "Whether the merchant's notifications are paused.",
      load: async (merchantIds: string[], context) => {
        const merchants = await loadMerchants(context.domain, scopeOf(context), merchantIds);
        return loaded(merchants).map(({ notificationsPaused }) => notificationsPaused);
      },
      resolve: ({ merchantId }) => merchantId,
    }),
    isBreakerOpen: t.boolean({
      nullable: true,
      description:
        'Whether the host gets one attempt a minute only, after 10 failures in a row. Null if Redis is unavailable.',
      resolve: async ({ merchantId, host }, _args, context) =>
        (await marksOf(context))?.openBreakers.has(`${host} ${merchantId}`) ?? null,
    }),
    lastAttemptAt: t.expose('lastAttemptAt', { type: 'DateTime', description: 'Time of the last attempt.' }),
    lastSuccessAt: t.expose('lastSuccessAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last acknowledged attempt. Null if there was none in the last 30 days.',
    }),
    lastFailureAt: t.expose('lastFailureAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last failed attempt. Null if none failed in the last 30 days.',
    }),
    lastError: t.exposeString('lastError', { nullable: true, description: 'Kind of error of the last failure.' }),
    lastHttpStatus: t.exposeInt('lastHttpStatus', {
      nullable: true,
      description: 'HTTP status of the last failure. Null: no response.',
    }),
  }),
});

function hostOf(key: string): Pick<HostRecord, 'merchantId' | 'host'> {
  const [merchantId = '', host = ''] = key.split(' ');
  return { merchantId, host };
}

const NotificationHostFilter = builder.inputType('NotificationHostFilter', {
  description: 'Filter for hosts. Filters are optional and combined with AND.',
  fields: (t) => ({
    merchantIds: t.stringList({ description: 'Of any of these merchants, at most 100.' }),
    host: t.string({ description: 'With this name and port, e.g. "shop.example:443".' }),
    failing: t.boolean({ description: 'Whether the last attempt failed.' }),
  }),
});

builder.queryField('notificationHosts', (t) =>
  t.connection({
    type: NotificationHostType,
    description: 'Hosts that got notifications in the last 30 days, by merchant and name.',
    authScopes: { operator: true },
    args: {
      filter: t.arg({
        type: NotificationHostFilter,
        description: 'Filter. Default: all hosts of merchants that you may see.',
        validate: { schema: hostFilter },
      }),
    },
    resolve: async (_root, { filter, ...page }, context) => {
      const request = pageOf('notification_hosts', page);
      return connectionOf(await pageHosts(context.domain, scopeOf(context), filter ?? {}, request));
    },
  }),
);
