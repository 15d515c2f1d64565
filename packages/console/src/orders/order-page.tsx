import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionMenu } from '../actions/action-button.tsx';
import { blockedBy } from '../actions/allowed.tsx';
import { useMe } from '../app/use-me.ts';
import { orderKindWords, orderStatusWords } from '../format/words.ts';
import { OrderDetailDocument, OrderMovesDocument } from '../generated/documents.generated.ts';
import { useLive } from '../graphql/use-live.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Page, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { assignWork } from '../work/assign-work.tsx';
import { Files } from '../work/files.tsx';
import { Notes } from '../work/notes.tsx';
import { TakeButton } from '../work/take-button.tsx';
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
  usePoll(refresh, isDelivering ? POLL_MS : null);
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
      heading={<OrderHeading order={order} />}
      actions={
        <>
          <TakeButton on={order.id} assignment={order.assignment} actions={order.actions} refresh={refresh} />
          <ActionMenu actions={[...orderActions(order), assignWork(order, orderNo)]} onDone={refresh} />
        </>
      }
    >
      {error && <Failure error={error} retry={refresh} />}
      <OrderStory order={order} onDone={refresh} />
      <Columns
        main={
          <>
            <Panel title="What happened">
              <OrderTimeline key={orderNo} order={order} withPersonal={withPersonal} />
            </Panel>
            <OrderNotifications order={order} />
            <Notes on={order.id} notes={order.notes} blocked={blockedBy(order.actions, 'ADD_NOTE')} refresh={refresh} />
          </>
        }
        side={
          <>
            <OrderFacts order={order} />
            <OrderMoney order={order} />
            <Files
              on={blockedBy(order.actions, 'ADD_NOTE') === null ? order.id : null}
              files={order.files}
              refresh={refresh}
            />
          </>
        }
      />
    </Page>
  );
}

function OrderHeading({ order }: { order: OrderDetail }) {
  return (
    <Heading kind={orderKindWords[order.kind].label} title={<Money amount={order.amount} currency={order.currency} />}>
      <Status word={orderStatusWords[order.status]} />
      <Copyable text={order.orderNo} what="order number" />
    </Heading>
  );
}

function OrderSkeleton() {
  const loading = (title: string) => (
    <Panel title={title}>
      <p className="soft">Loading …</p>
    </Panel>
  );
  return (
    <div aria-busy="true">
      <Columns main={loading('What happened')} side={loading('Order')} />
    </div>
  );
}
