import { getRouteApi } from '@tanstack/react-router';
import { useMe } from '../app/use-me.ts';
import { orderKindWords, orderStatusWords } from '../format/words.ts';
import { OrderDetailDocument, OrderMovesDocument } from '../generated/documents.generated.ts';
import { useLive } from '../graphql/use-live.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { WorkPage } from '../work/work-page.tsx';
import { orderActions } from './order-actions.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderMoney } from './order-money.tsx';
import { OrderNotifications } from './order-notifications.tsx';
import { OrderStory } from './order-story.tsx';
import { OrderTimeline } from './order-timeline.tsx';

const route = getRouteApi('/shell/orders/$orderNo');
/** While an attempt is due, the page is read again in this interval, because no stream reports attempts. */
const POLL_MS = 4_000;

/** One order: what happened, why, and what can be done. */
export function OrderPage() {
  const { orderNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const one = useDetail(OrderDetailDocument, { orderNo, withPersonal }, ({ order }) =>
    order?.orderNo === orderNo ? order : null,
  );
  const { refresh } = one;
  useLive(OrderMovesDocument, { orderNo }, { onData: refresh, onMissed: refresh });
  const isDelivering = one.found?.notifications.edges.some(({ node }) => node.state === 'PENDING') ?? false;
  usePoll(refresh, isDelivering ? POLL_MS : null);
  return (
    <WorkPage
      title={`Order ${orderNo}`}
      subject={orderNo}
      one={one}
      missing={['There is no such order', 'Check the number. You may also not be allowed to see its merchant.']}
      show={(order) => ({
        heading: (
          <Heading
            kind={orderKindWords[order.kind].label}
            title={<Money amount={order.amount} currency={order.currency} />}
          >
            <Status word={orderStatusWords[order.status]} />
            <Copyable text={orderNo} what="order number" />
          </Heading>
        ),
        actions: orderActions(order),
        above: <OrderStory order={order} onDone={refresh} />,
        main: (
          <>
            <Panel title="What happened">
              <OrderTimeline key={orderNo} order={order} withPersonal={withPersonal} />
            </Panel>
            <OrderNotifications order={order} />
          </>
        ),
        side: (
          <>
            <OrderFacts order={order} />
            <OrderMoney order={order} />
          </>
        ),
      })}
    />
  );
}
