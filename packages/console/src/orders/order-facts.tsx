import type { ReactNode } from 'react';
import { countryNames, plainWords } from '../format/words.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Icon } from '../parts/icon.tsx';
import { Money } from '../parts/money.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';
import { operatorStepWords } from './money-words.ts';
import type { OrderDetail } from './order-detail.ts';

const MODES = {
  UPSTREAM: 'through the channel',
  MANUAL: 'by hand, at the bank',
  MARKET: 'by the task market',
} as const;

/** The order's own data, and who pays or is paid. */
export function OrderFacts({ order }: { order: OrderDetail }) {
  return (
    <>
      <Panel title="Order">
        <Facts values={factsOf(order)} />
      </Panel>
      <Panel title="Money">
        <MoneyFacts money={order.money} kind={order.kind} currency={order.currency} />
      </Panel>
      {order.party && (
        <Panel title={order.kind === 'PAYIN' ? 'Payer' : 'Payee'}>
          <PartyFacts party={order.party} />
        </Panel>
      )}
    </>
  );
}

function factsOf(order: OrderDetail): Record<string, ReactNode> {
  const { currency, merchantId, channelId, channelRef, nextAction, nextActionAt, completedAt } = order;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const time = (at: string | null) => at && <Time at={at} />;
  return {
    "Merchant's number": <Copyable text={order.merchantOrderNo} what="merchant's number" />,
    Merchant: (
      <ScreenLink to={`/merchants/${merchantId}`}>
        {order.merchant.name} <span className="soft mono">{merchantId}</span>
      </ScreenLink>
    ),
    Country: countryNames[order.country] ?? order.country,
    Fee: money(order.feeAmount),
    Net: money(order.netAmount),
    Channel: <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>,
    'Carried out': MODES[order.mode],
    'Channel reference': channelRef && <Copyable text={channelRef} what="channel reference" />,
    Bank: order.bankCode,
    Created: time(order.createdAt),
    Expires: completedAt === null && time(order.expiresAt),
    Ended: time(completedAt),
    'Next call': nextAction && (
      <>
        {plainWords(nextAction)} {time(nextActionAt)}
      </>
    ),
    'Checkout page': 'checkoutUrl' in order && order.checkoutUrl && <Outside url={order.checkoutUrl} />,
  };
}

interface MoneyFactsProps {
  money: OrderDetail['money'];
  kind: OrderDetail['kind'];
  currency: string;
}

/** What arrived, and what became of it. Amounts that are zero are left out. */
export function MoneyFacts({ money, kind, currency }: MoneyFactsProps) {
  const shown = (amount: string) => amount !== '0.00' && <Money amount={amount} currency={currency} />;
  const always = (amount: string) => <Money amount={amount} currency={currency} />;
  const isPayin = kind === 'PAYIN';
  return (
    <Facts
      values={{
        'Asked for': always(money.asked),
        [isPayin ? 'Arrived' : 'Paid out']: always(money.arrived),
        'Counts for the order': shown(money.counted),
        Credited: shown(money.credited),
        'Credited otherwise': shown(money.creditedOtherwise),
        'In suspense': shown(money.held),
        'Being sent back': shown(money.returning),
        [isPayin ? 'Sent back' : 'Came back']: shown(money.returned),
        'Left, not covered': shown(money.out),
        'Left to pay': shown(money.rest),
        'Next step': operatorStepWords[money.nextStep],
      }}
    />
  );
}

function PartyFacts({ party }: { party: NonNullable<OrderDetail['party']> }) {
  return (
    <Facts
      values={{
        Name: party.name,
        Account: party.account && <Copyable text={party.account} what="account" />,
        Phone: party.mobile,
        'E-mail': party.email,
        IFSC: party.ifsc,
        'Id number': party.idNo,
      }}
    />
  );
}

function Outside({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer">
      Open <Icon name="external" size={12} />
    </a>
  );
}
