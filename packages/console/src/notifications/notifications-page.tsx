import { getRouteApi } from '@tanstack/react-router';
import { ActionButton } from '../actions/action-button.tsx';
import { attemptProblem } from '../format/attempt-words.ts';
import { notificationHoldWords, notificationStateWords, orderStatusWords } from '../format/words.ts';
import { NotificationListDocument, type NotificationRowFragment } from '../generated/documents.generated.ts';
import type { Column } from '../list/columns.ts';
import { FilterBar } from '../list/filter-bar.tsx';
import { pageArguments } from '../list/filters.ts';
import { ListTable } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Tabs } from '../list/views.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useTimeZone } from '../preferences/time-zone.ts';
import { notificationFilters, notificationTabs, toNotificationFilter } from './notification-filters.ts';
import { resendOne } from './resend.tsx';
import { ResendMany } from './resend-many.tsx';

const route = getRouteApi('/shell/notifications');

/** The list of notifications, with the delivery state and the reason for each failed delivery. */
export function NotificationsPage() {
  const search = route.useSearch();
  const zone = useTimeZone();
  const { after, before, sort, ...filters } = search;
  const filter = toNotificationFilter(filters, zone);
  const list = useList(NotificationListDocument, { filter, ...pageArguments(search) }, (data) => data.notifications);
  return (
    <Page title="Notifications" actions={<ResendMany filters={filters} onDone={list.refresh} />}>
      <Tabs label="Notifications" tabs={notificationTabs} current="/notifications" />
      <FilterBar filters={notificationFilters} values={filters} />
      <ListTable
        name="notifications"
        noun={['notification', 'notifications']}
        columns={columnsWith(list.refresh)}
        list={list}
        rowKey={({ id }) => id}
        rowLink={({ orderNo }) => ({ to: '/orders/$orderNo', params: { orderNo } })}
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No notification matches">Remove a filter, or choose a longer period.</Empty>
          ) : (
            <Empty title="No notifications yet">
              Each result of an order is sent to its merchant, and appears here.
            </Empty>
          )
        }
      />
    </Page>
  );
}

function columnsWith(refresh: () => void): readonly Column<NotificationRowFragment>[] {
  return [
    { id: 'order', title: 'Order', cell: ({ orderNo }) => <span className="mono">{orderNo}</span> },
    {
      id: 'status',
      title: 'Reports',
      isExtra: true,
      phone: 'topEnd',
      cell: ({ status }) => <Status word={orderStatusWords[status]} />,
    },
    {
      id: 'state',
      title: 'State',
      isFixed: true,
      phone: 'bottomEnd',
      cell: ({ state }) => <Status word={notificationStateWords[state]} />,
    },
    { id: 'why', title: 'Why not', from: 46, wraps: true, cell: (row) => whyNot(row) },
    {
      id: 'merchant',
      title: 'Merchant',
      from: 52,
      cell: ({ merchantId }) => <span className="mono">{merchantId}</span>,
    },
    { id: 'host', title: 'Host', from: 60, phone: 'bottom', wraps: true, cell: ({ host }) => host },
    { id: 'attempts', title: 'Attempts', from: 70, align: 'end', cell: ({ attemptCount }) => attemptCount },
    {
      id: 'next',
      title: 'Next attempt',
      isExtra: true,
      cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Time at={nextAttemptAt} /> : <span className="soft">–</span>),
    },
    { id: 'created', title: 'Created', isExtra: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'delivered',
      title: 'Delivered',
      isExtra: true,
      cell: ({ deliveredAt }) => (deliveredAt ? <Time at={deliveredAt} /> : <span className="soft">–</span>),
    },
    {
      id: 'again',
      title: '',
      isFixed: true,
      cell: (row) => <ActionButton action={resendOne(row)} onDone={refresh} size="compact-xs" />,
    },
  ];
}

/** The last attempt's failure, or what keeps it back, in words. */
function whyNot({ state, heldBy, lastAttempt }: NotificationRowFragment): string {
  if (state === 'DELIVERED') return '';
  if (heldBy) return notificationHoldWords[heldBy];
  if (!lastAttempt) return 'Not tried yet';
  const { error, httpStatus } = lastAttempt;
  const problem = attemptProblem({ httpStatus, error });
  return problem.charAt(0).toUpperCase() + problem.slice(1);
}
