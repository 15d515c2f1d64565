import { getRouteApi } from '@tanstack/react-router';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { orderKindWords, orderStatusWords, testWord } from '../format/words.ts';
import { OrderDetailDocument, OrderMovesDocument } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useLive } from '../graphql/use-live.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { useMe } from '../session/use-me.ts';
import { WorkPage } from '../work/work-page.tsx';
import { orderActions } from './order-actions.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderMoney } from './order-money.tsx';
import { OrderNotifications } from './order-notifications.tsx';
import { OrderStory } from './order-story.tsx';
import { OrderTimeline } from './order-timeline.tsx';

const route = getRouteApi('/shell/orders/$orderNo');
/** While an attempt is due, or money waits in cases, the page is read again in this interval: its stream reports the moves of the order alone. */
const POLL_MS = 4_000;

/** One order: what happened, why, and what can be done. */
export function OrderPage() {
  const { orderNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const one = useDetail(OrderDetailDocument, { orderNo, withPersonal }, ({ order }) =>
    order?.orderNo === orderNo ? order : null,
  );
  const { refresh } = one;
  useApprovalNews(useSoon(refresh));
  useLive(OrderMovesDocument, { orderNo }, { onData: refresh, onMissed: refresh });
  const isDelivering = one.found?.notifications.edges.some(({ node }) => node.state === 'PENDING') ?? false;
  const isHeld = one.found !== null && (one.found.money.held !== '0.00' || one.found.money.out !== '0.00');
  usePoll(refresh, isDelivering || isHeld ? POLL_MS : null);
  return (
    <WorkPage
      title={`Order ${orderNo}`}
      subject={orderNo}
      one={one}
      missing={['There is no such order', 'Check the number. You may also not be allowed to see its merchant.']}
      show={(order, { approvals }) => ({
        heading: (
          <Heading
            kind={orderKindWords[order.kind].label}
            title={<Money amount={order.amount} currency={order.currency} />}
          >
            <Status word={orderStatusWords[order.status]} />
            {!order.isLive && <Status word={testWord} />}
            <Copyable text={orderNo} what="order number" />
          </Heading>
        ),
        actions: orderActions(order),
        above: (
          <>
            <WaitingApprovals approvals={approvals} />
            <OrderStory order={order} onDone={refresh} />
          </>
        ),
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
