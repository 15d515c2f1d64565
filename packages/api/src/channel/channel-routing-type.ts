import type { BreakerState, RoutingHealth } from '@tidegate/domain/channels';
import { builder } from '../graphql/builder.ts';
import type { ApiContext } from '../graphql/context.ts';

const BreakerEnum = builder.enumType('ChannelBreaker', {
  description: 'Whether new orders go to a channel.',
  values: {
    CLOSED: { value: 'closed', description: 'Orders go to it.' },
    HALF_OPEN: { value: 'half_open', description: 'Single orders test whether it answers again.' },
    OPEN: {
      value: 'open',
      description: 'It did not answer 10 creates in a row. Orders go to it only if they have no other route.',
    },
  } as const satisfies Record<string, { value: BreakerState; description: string }>,
});

/** The weight of a channel when orders are routed. */
export const ChannelRoutingType = builder.objectRef<RoutingHealth>('ChannelRouting').implement({
  description: 'How a channel counts when new orders are routed.',
  fields: (t) => ({
    successRate: t.exposeFloat('successRate', {
      nullable: true,
      description:
        'Creates of the last 5 minutes that it answered divided by all, 0 to 1. Multiplies the weights of its routes. Null if there were less than 10.',
    }),
    breaker: t.expose('breaker', { type: BreakerEnum, description: 'State of its breaker.' }),
  }),
});

/** The routing of a channel; null without Redis. A channel without recent creates has its configured weight. */
export async function routingOf(context: ApiContext, channelId: string): Promise<RoutingHealth | null> {
  const known = await context.domain.channelRouting.health();
  return known && (known.get(channelId) ?? { successRate: null, breaker: 'closed' });
}
