import {
  type ChannelCalls,
  type ChannelHour,
  type ChannelNow,
  readChannelHistories,
  readChannelsNow,
} from '@tidegate/domain/lists';
import { hasRole } from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { personal } from '../graphql/personal.ts';
import { isRestricted } from '../graphql/platform-only.ts';
import { marksOf } from '../queue/marks-of.ts';

const ConditionEnum = builder.enumType('ChannelCondition', {
  description: 'How a channel answers, by its last 10 minutes.',
  values: {
    IDLE: { value: 'idle', description: 'It was not called.' },
    ANSWERING: { value: 'answering', description: 'It answered at least half of the calls, or had fewer than 10.' },
    FAILING: { value: 'failing', description: 'It answered fewer than half of at least 10 calls.' },
    SILENT: { value: 'silent', description: 'It answered none of at least 10 calls.' },
  } as const satisfies Record<string, { value: ChannelNow['condition']; description: string }>,
});

/** A number of calls, only for operators without a restriction. It shows the volume of all merchants together. */
function counted(count: number, context: ApiContext): number | null {
  return isRestricted(operatorOf(context)) ? null : count;
}

const CallsType = builder.interfaceRef<ChannelCalls>('ChannelCalls').implement({
  description: 'Calls to a channel within a time. Numbers of calls are null for restricted operators.',
  fields: (t) => ({
    calls: t.int({
      nullable: true,
      description: 'Number of calls that were sent to the channel.',
      resolve: (of, _args, context) => counted(of.calls, context),
    }),
    answered: t.int({
      nullable: true,
      description: 'Number of calls that the channel answered, even without a result.',
      resolve: (of, _args, context) => counted(of.answered, context),
    }),
    refused: t.int({
      nullable: true,
      description: 'Number of orders that the channel refused at once.',
      resolve: (of, _args, context) => counted(of.refused, context),
    }),
    callbacks: t.int({
      nullable: true,
      description: 'Number of calls of the channel to the service.',
      resolve: (of, _args, context) => counted(of.callbacks, context),
    }),
    answerRate: t.exposeFloat('answerRate', {
      nullable: true,
      description: 'Answered calls divided by all calls, 0 to 1. Null without calls.',
    }),
    p50Ms: t.exposeFloat('p50Ms', {
      nullable: true,
      description: 'Median duration of a call in milliseconds, accurate to 5 %. Null without calls.',
    }),
    p95Ms: t.exposeFloat('p95Ms', {
      nullable: true,
      description: '95th percentile of the durations in milliseconds, accurate to 5 %. Null without calls.',
    }),
  }),
});

const ChannelHourType = builder.objectRef<ChannelHour>('ChannelHour').implement({
  description: 'Calls to a channel in one hour.',
  interfaces: [CallsType],
  fields: (t) => ({
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Start of the hour, a whole hour of UTC.' }),
  }),
});

const ChannelErrorType = builder.objectRef<NonNullable<ChannelNow['lastError']>>('ChannelError').implement({
  description: 'A call that was not sent, or that the channel did not answer or refused.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'Time of the call.' }),
    message: t.string({
      nullable: true,
      description: 'What went wrong. Null for viewers and restricted operators.',
      resolve: ({ message }, _args, context) => {
        const operator = operatorOf(context);
        return hasRole(operator, personal.roles) && !isRestricted(operator) ? message : null;
      },
    }),
  }),
});

/** The current health of a channel. */
export const ChannelHealthType = builder.objectRef<ChannelNow>('ChannelHealth').implement({
  description: 'How a channel answered in the last 10 complete minutes.',
  interfaces: [CallsType],
  fields: (t) => ({
    condition: t.expose('condition', { type: ConditionEnum, description: 'The result in one word.' }),
    asOf: t.expose('asOf', { type: 'DateTime', description: 'End of the 10 minutes, about 2 minutes ago.' }),
    isFull: t.boolean({
      nullable: true,
      description:
        'Whether a worker has as many open calls to the channel as its limit allows. Null if Redis is unavailable.',
      resolve: async ({ channelId }, _args, context) => (await marksOf(context))?.fullChannels.has(channelId) ?? null,
    }),
    lastError: t.expose('lastError', {
      type: ChannelErrorType,
      nullable: true,
      description: 'Last error of the last 2 hours. Null if there was none.',
    }),
    history: t.loadableList({
      type: ChannelHourType,
      description: 'The last 7 days by the hour, oldest first. Hours without calls are absent.',
      load: (channelIds: string[], context) => readChannelHistories(context.domain, channelIds),
      resolve: ({ channelId }) => channelId,
    }),
  }),
});

/**
 * The health of these channels, in their order. The caller has already left out channels that the operator may not see.
 */
export function loadChannelHealth(channelIds: string[], context: ApiContext): Promise<ChannelNow[]> {
  return readChannelsNow(context.domain, channelIds);
}
