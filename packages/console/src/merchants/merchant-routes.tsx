import { type Action, defineAction } from '../actions/action.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { Before } from '../actions/action-dialog.tsx';
import { unlessRequested, type Waiting } from '../approvals/waiting-approvals.tsx';
import { compareAmounts } from '../format/money.ts';
import { orderKindOptions, orderKindWords } from '../format/words.ts';
import {
  type OrderKind,
  RemoveRouteDocument,
  type RouteMode,
  SetRouteDocument,
} from '../generated/documents.generated.ts';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { type MerchantDetail, waitingRoutes } from './merchant-detail.ts';
import { routeModeWords } from './merchant-words.ts';
import styles from './merchants.module.css';

type Route = MerchantDetail['routes']['edges'][number]['node'];
interface Props {
  merchant: MerchantDetail;
  /** Requests that wait. */
  approvals: Waiting;
  onDone(): void;
}

/** Channels of the merchant's orders, by priority and weight. */
export function MerchantRoutes({ merchant, approvals, onDone }: Props) {
  const routes = merchant.routes.edges.map(({ node }) => node);
  return (
    <Panel
      title="Routes"
      side={<ActionButton action={setRoute(merchant, approvals)} onDone={onDone} size="compact-xs" />}
      isFlush
    >
      {routes.length === 0 ? (
        <Empty title="No route yet">Without a route no order can be carried out.</Empty>
      ) : (
        <Lines
          label="Routes"
          columns={columnsOf({ merchant, approvals, onDone })}
          rows={routes}
          rowKey={({ routeNo }) => routeNo}
        />
      )}
    </Panel>
  );
}

function columnsOf({ merchant, approvals, onDone }: Props): LineColumn<Route>[] {
  const { currency } = merchant;
  return [
    { title: 'No.', cell: ({ routeNo }) => routeNo },
    {
      title: 'For',
      cell: ({ kind, bankCode }) => `${orderKindWords[kind].label}${bankCode ? `, bank ${bankCode}` : ''}`,
    },
    {
      title: 'Carried out by',
      cell: ({ mode, channel }) => (
        <>
          {routeModeWords[mode]}{' '}
          <ScreenLink to={`/channels/${channel.channelId}`}>
            <span className="mono">{channel.channelId}</span>
          </ScreenLink>{' '}
          {!channel.enabled && <Status word={{ label: 'Channel off', tone: 'bad' }} />}
        </>
      ),
    },
    {
      title: 'Amounts',
      cell: ({ minAmount, maxAmount }) =>
        isWhole(minAmount, maxAmount) ? (
          'all'
        ) : (
          <>
            <Money amount={minAmount} currency={currency} /> to <Money amount={maxAmount} currency={currency} />
          </>
        ),
    },
    { title: 'Priority', align: 'end', cell: ({ priority }) => priority },
    { title: 'Weight', align: 'end', cell: ({ weight }) => weight },
    {
      title: '',
      cell: (one) => (
        <span className={styles.buttons}>
          <ActionButton
            action={unlessRequested(setRoute(merchant, approvals, one), approvals, subjectOf(one))}
            onDone={onDone}
            size="compact-xs"
          />{' '}
          <ActionButton
            action={unlessRequested(removeRoute(merchant, one), approvals, subjectOf(one))}
            onDone={onDone}
            size="compact-xs"
          />
        </span>
      ),
    },
  ];
}

/** The subject of requests about a route. */
function subjectOf({ routeNo }: Route): string {
  return `route ${routeNo}`;
}

/** The bounds that a route has where none was set. */
function isWhole(minAmount: string, maxAmount: string): boolean {
  return compareAmounts(minAmount, '0.01') <= 0 && compareAmounts(maxAmount, '999999999999') >= 0;
}

function setRoute({ merchantId, name, routes }: MerchantDetail, approvals: Waiting, old?: Route): Action {
  const highest = Math.max(0, ...waitingRoutes(approvals), ...routes.edges.map(({ node }) => node.routeNo));
  const routeNo = old?.routeNo ?? highest + 1;
  return defineAction({
    operation: 'setRoute',
    document: SetRouteDocument,
    label: old ? 'Change' : 'Add a route',
    subject: merchantId,
    expectedVersion: old?.version ?? 'new',
    before: <Before values={{ Merchant: name, Route: old ? `No. ${routeNo}` : `New, no. ${routeNo}` }} />,
    fields: [
      { name: 'kind', label: 'For', kind: 'choice', options: orderKindOptions, initial: old?.kind ?? 'PAYIN' },
      { name: 'mode', label: 'Carried out by', kind: 'choice', options: modes, initial: old?.mode ?? 'UPSTREAM' },
      { name: 'channelId', label: 'Channel', initial: old?.channel.channelId ?? '' },
      { name: 'priority', label: 'Priority', initial: String(old?.priority ?? 1) },
      { name: 'weight', label: 'Weight', initial: String(old?.weight ?? 1) },
      { name: 'minAmount', label: 'Smallest amount', initial: old?.minAmount ?? '' },
      { name: 'maxAmount', label: 'Largest amount', initial: old?.maxAmount ?? '' },
      { name: 'bankCode', label: 'Only for this bank code', initial: old?.bankCode ?? '' },
    ],
    toInput: ({ kind, mode, channelId = '', priority, weight, minAmount, maxAmount, bankCode }) => ({
      merchantId,
      routeNo,
      channelId,
      kind: kind as OrderKind,
      mode: mode as RouteMode,
      priority: Number(priority),
      weight: Number(weight),
      ...(minAmount && { minAmount }),
      ...(maxAmount && { maxAmount }),
      ...(bankCode && { bankCode }),
    }),
    after: () => 'The route is set. New orders can take it within five seconds.',
  });
}

function removeRoute({ merchantId, name }: MerchantDetail, { routeNo, version, kind, channel }: Route): Action {
  return defineAction({
    operation: 'removeRoute',
    document: RemoveRouteDocument,
    label: 'Remove',
    isDangerous: true,
    subject: merchantId,
    before: (
      <Before
        values={{
          Merchant: name,
          Route: `No. ${routeNo}`,
          For: orderKindWords[kind].label,
          Channel: channel.channelId,
        }}
      />
    ),
    expectedVersion: version,
    toInput: () => ({ merchantId, routeNo }),
    after: () => 'The route is removed. Orders that are on it stay there.',
  });
}

const modes = Object.entries(routeModeWords).map(([value, label]) => ({ value, label }));
