import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { ActionMenu } from '../actions/action-button.tsx';
import { useMe } from '../app/use-me.ts';
import { orderStatusWords } from '../format/words.ts';
import { OrderDetailDocument, OrderMovesDocument } from '../generated/documents.generated.ts';
import { useLive } from '../graphql/use-live.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Page, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import styles from './order.module.css';
import { orderActions } from './order-actions.tsx';
import type { OrderDetail } from './order-detail.ts';
import { OrderFacts } from './order-facts.tsx';
import { OrderMoney } from './order-money.tsx';
import { OrderNotifications } from './order-notifications.tsx';
import { OrderStory } from './order-story.tsx';
import { OrderTimeline } from './order-timeline.tsx';

const route = getRouteApi('/shell/orders/$orderNo');
/** While an attempt is due, the page is read again: attempts move no order, so that no stream reports them. */
const POLL_MS = 4_000;

/** One order: what happened, why, and what can be done. */
export function OrderPage() {
  const { orderNo } = route.useParams();
  const withPersonal = useMe().roles.some((role) => role !== 'VIEWER');
  const [{ data, error, fetching }, read] = useQuery({
    query: OrderDetailDocument,
    variables: { orderNo, withPersonal },
  });
  const refresh = () => read({ requestPolicy: 'network-only' });
  useLive(OrderMovesDocument, { orderNo }, { onData: refresh, onMissed: refresh });
  const order = data?.order?.orderNo === orderNo ? data.order : null;
  const isDelivering = order?.notifications.edges.some(({ node }) => node.state === 'PENDING') ?? false;
  useEffect(() => {
    if (!isDelivering) return undefined;
    const timer = setInterval(() => window.document.hidden || read({ requestPolicy: 'network-only' }), POLL_MS);
    return () => clearInterval(timer);
  }, [isDelivering, read]);
  if (!order)
    return (
      <Page title={`Order ${orderNo}`}>
        {error && <Failure error={error} retry={refresh} />}
        {!error && !fetching && (
          <Panel>
            <Empty title="There is no such order">
              Check the number. You may also not be allowed to see its merchant.
            </Empty>
          </Panel>
        )}
        {!error && fetching && <OrderSkeleton />}
      </Page>
    );
  return (
    <Page
      title={`Order ${orderNo}`}
      heading={<Heading order={order} />}
      actions={<ActionMenu actions={orderActions(order)} onDone={refresh} />}
    >
      {error && <Failure error={error} retry={refresh} />}
      <OrderStory order={order} onDone={refresh} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Panel title="What happened">
            <OrderTimeline key={orderNo} order={order} withPersonal={withPersonal} />
          </Panel>
          <OrderNotifications order={order} />
        </div>
        <div className={styles.column}>
          <OrderFacts order={order} />
          <OrderMoney order={order} />
        </div>
      </div>
    </Page>
  );
}

function Heading({ order }: { order: OrderDetail }) {
  return (
    <div className={styles.heading}>
      <span className={styles.kind}>{order.kind === 'PAYIN' ? 'Payin' : 'Payout'}</span>
      <h1 className={styles.amount}>
        <Money amount={order.amount} currency={order.currency} />
      </h1>
      <Status word={orderStatusWords[order.status]} />
      <Copyable text={order.orderNo} what="order number" />
    </div>
  );
}

function OrderSkeleton() {
  return (
    <div className={styles.columns} aria-busy="true">
      <Panel title="What happened">
        <p className="soft">Loading …</p>
      </Panel>
      <Panel title="Order">
        <p className="soft">Loading …</p>
      </Panel>
    </div>
  );
}
