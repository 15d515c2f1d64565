import { Button, Tooltip } from '@mantine/core';
import { useQuery } from 'urql';
import { ActionButton } from '../actions/action-button.tsx';
import { useWhyNot } from '../actions/operation.ts';
import { rangeOf } from '../format/period.ts';
import {
  CountResendDocument,
  type NotificationState,
  type ResendCountInput,
} from '../generated/documents.generated.ts';
import type { FilterValues } from '../list/filters.ts';
import { useSetSearch } from '../list/use-list.ts';
import { useTimeZone } from '../preferences/time-zone.ts';
import { attemptsOf, type notificationFilters } from './notification-filters.ts';
import { resendMany } from './resend.tsx';

interface Props {
  filters: FilterValues<typeof notificationFilters>;
  onDone(): void;
}

const UNDELIVERED: readonly NotificationState[] = ['PENDING', 'EXHAUSTED'];

/** Sends all notifications again that the filters show, once they are of one merchant. It counts them first. */
export function ResendMany({ filters, onDone }: Props) {
  const zone = useTimeZone();
  const setSearch = useSetSearch();
  const input = inputOf(filters, zone);
  const isAllowed = useWhyNot()('resendNotifications') === null;
  const [{ data }, read] = useQuery({
    query: CountResendDocument,
    variables: { input: input as ResendCountInput },
    pause: input === null || !isAllowed,
  });
  if (!isAllowed) return null;
  const count = data?.resendCount?.wouldSend ?? 0;
  if (input === null && filters.merchantIds?.length === 1)
    return (
      <Button variant="default" onClick={() => setSearch({ created: 'today', states: UNDELIVERED })}>
        Not delivered today
      </Button>
    );
  if (input === null)
    return (
      <Tooltip label="To send many again, choose one merchant, a period and a state.">
        <Button variant="default" data-disabled aria-disabled>
          Send many again
        </Button>
      </Tooltip>
    );
  const refresh = () => {
    read({ requestPolicy: 'network-only' });
    onDone();
  };
  const action = { ...resendMany(input, count), blocked: count === 0 ? 'No notification matches.' : null };
  return <ActionButton action={action} onDone={refresh} variant="filled" />;
}

/** What the API resends for these filters. Null where they do not say enough. */
function inputOf(filters: Props['filters'], zone: string): ResendCountInput | null {
  const { merchantIds, created, states, host, errors, attempts, orderNo, statuses } = filters;
  const [merchantId, ...others] = merchantIds ?? [];
  const { from, to = new Date(Math.ceil(Date.now() / 60_000) * 60_000).toISOString() } = rangeOf(created, zone);
  if (!merchantId || others.length > 0 || !from || !states || orderNo || statuses) return null;
  return { merchantId, from, to, states, ...attemptsOf(attempts), ...(host && { host }), ...(errors && { errors }) };
}
