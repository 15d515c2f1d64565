import { getRouteApi, Link } from '@tanstack/react-router';
import { ActionButton, ActionMenu } from '../actions/action-button.tsx';
import { blockedAsAllowed } from '../actions/allowed.tsx';
import { unlessRequested, WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { countryNames } from '../format/words.ts';
import { MerchantDetailDocument, type MerchantDetailQuery } from '../generated/documents.generated.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { merchantActions, releasePayouts } from './merchant-actions.tsx';
import type { MerchantDetail } from './merchant-detail.ts';
import { MerchantFees } from './merchant-fees.tsx';
import { MerchantHistory } from './merchant-history.tsx';
import { MerchantKeys } from './merchant-keys.tsx';
import { MerchantRoutes } from './merchant-routes.tsx';
import { merchantStatusWords } from './merchant-words.ts';
import styles from './merchants.module.css';

const route = getRouteApi('/shell/merchants/$merchantId');

/** One merchant: settings, limits, keys, fees, routes, and who changed what. */
export function MerchantPage() {
  const { merchantId } = route.useParams();
  const one = useDetail(MerchantDetailDocument, { merchantId }, ({ merchant }) =>
    merchant?.merchantId === merchantId ? merchant : null,
  );
  const { refresh } = one;
  return (
    <DetailPage
      title={`Merchant ${merchantId}`}
      one={one}
      missing={['There is no such merchant', 'Check the number. You may also not be allowed to see it.']}
      show={(merchant, data) => ({
        title: merchant.name,
        heading: (
          <Heading title={merchant.name}>
            <Status word={merchantStatusWords[merchant.status]} />
            <Copyable text={merchantId} what="merchant number" />
          </Heading>
        ),
        actions: (
          <ActionMenu actions={blockedAsAllowed(merchantActions(merchant), merchant.actions)} onDone={refresh} />
        ),
        body: <Detail merchant={merchant} data={data} refresh={refresh} />,
      })}
    />
  );
}

interface DetailProps {
  merchant: MerchantDetail;
  data: MerchantDetailQuery;
  refresh(): void;
}

function Detail({ merchant, data, refresh }: DetailProps) {
  return (
    <>
      <WaitingApprovals approvals={data.approvals} isPart />
      {merchant.setupWarnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {merchant.payoutsStoppedAt && (
        <Notice
          tone="bad"
          action={
            <ActionButton
              action={unlessRequested(releasePayouts(merchant), data.approvals)}
              size="compact-xs"
              onDone={refresh}
            />
          }
        >
          Payouts are stopped since <Time at={merchant.payoutsStoppedAt} />: the audit found an error in this ledger.
          Close the <ScreenLink to="/audit/findings">findings</ScreenLink> first.
        </Notice>
      )}
      {merchant.notificationsPaused && (
        <Notice tone="warn">Notifications are paused: they are kept, and sent once they are resumed.</Notice>
      )}
      <Columns
        main={
          <>
            <MerchantFees merchant={merchant} approvals={data.approvals} onDone={refresh} />
            <MerchantRoutes merchant={merchant} approvals={data.approvals} onDone={refresh} />
            <MerchantKeys merchant={merchant} approvals={data.approvals} onDone={refresh} />
            <MerchantHistory merchantId={merchant.merchantId} />
          </>
        }
        side={
          <>
            <WalletPanel merchant={merchant} />
            <Settings merchant={merchant} />
          </>
        }
      />
    </>
  );
}

function WalletPanel({ merchant: { wallet, merchantId } }: { merchant: MerchantDetail }) {
  return (
    <Panel title="Wallet" side={<ScreenLink to={`/wallets/${merchantId}`}>Statement</ScreenLink>}>
      <Facts
        values={{
          Available: <Money amount={wallet.available} currency={wallet.currency} />,
          Frozen: <Money amount={wallet.frozen} currency={wallet.currency} />,
        }}
      />
      <p className={styles.more}>
        <Link to="/orders" search={{ merchantIds: [merchantId] } as never}>
          Orders of this merchant
        </Link>
      </p>
    </Panel>
  );
}

function Settings({ merchant }: { merchant: MerchantDetail }) {
  const { merchantId, currency, ipAllowList } = merchant;
  const range = (isEnabled: boolean, min: string, max: string) =>
    isEnabled ? (
      <>
        <Money amount={min} currency={currency} /> to <Money amount={max} currency={currency} />
      </>
    ) : (
      'Switched off'
    );
  return (
    <Panel title="Settings" side={<ScreenLink to={`/settlements/cycles/${merchantId}`}>Settlement cycle</ScreenLink>}>
      <Facts
        values={{
          Country: countryNames[merchant.country] ?? merchant.country,
          Payins: range(merchant.payinEnabled, merchant.payinMin, merchant.payinMax),
          Payouts: range(merchant.payoutEnabled, merchant.payoutMin, merchant.payoutMax),
          'Requests per second': `${merchant.requestsPerSecond}, at once ${merchant.requestBurst}`,
          'Calls allowed from': ipAllowList === null ? 'Any address' : ipAllowList.join(', ') || 'No address',
          'Notification address': merchant.defaultNotifyUrl ?? 'Only what each order names',
          'Old field names': merchant.acceptDeprecatedFields && 'Accepted',
          Created: <Time at={merchant.createdAt} />,
          Changed: <Time at={merchant.changedAt} />,
        }}
      />
    </Panel>
  );
}
