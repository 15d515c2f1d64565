import { getRouteApi, Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionMenu } from '../actions/action-button.tsx';
import { countryNames } from '../format/words.ts';
import { MerchantDetailDocument } from '../generated/documents.generated.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Failure, Notice } from '../parts/notice.tsx';
import { Empty, Facts, Page, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { merchantActions } from './merchant-actions.tsx';
import { type MerchantDetail, waitingRoutes } from './merchant-detail.ts';
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
  const [{ data, error, fetching }, read] = useQuery({ query: MerchantDetailDocument, variables: { merchantId } });
  const refresh = () => read({ requestPolicy: 'network-only' });
  const merchant = data?.merchant?.merchantId === merchantId ? data.merchant : null;
  if (!merchant)
    return (
      <Page title={`Merchant ${merchantId}`}>
        {error && <Failure error={error} retry={refresh} />}
        {!error && (
          <Panel>
            {fetching ? (
              <p className="soft">Loading …</p>
            ) : (
              <Empty title="There is no such merchant">Check the number. You may also not be allowed to see it.</Empty>
            )}
          </Panel>
        )}
      </Page>
    );
  return (
    <Page
      title={merchant.name}
      heading={
        <Heading title={merchant.name}>
          <Status word={merchantStatusWords[merchant.status]} />
          <Copyable text={merchantId} what="merchant number" />
        </Heading>
      }
      actions={<ActionMenu actions={merchantActions(merchant)} onDone={refresh} />}
    >
      {error && <Failure error={error} retry={refresh} />}
      {merchant.setupWarnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {merchant.notificationsPaused && (
        <Notice tone="warn">Notifications are paused: they are kept, and sent once they are resumed.</Notice>
      )}
      <Columns
        main={
          <>
            <MerchantFees merchant={merchant} onDone={refresh} />
            <MerchantRoutes merchant={merchant} waiting={waitingRoutes(data)} onDone={refresh} />
            <MerchantKeys merchant={merchant} onDone={refresh} />
            <MerchantHistory merchantId={merchantId} />
          </>
        }
        side={
          <>
            <WalletPanel merchant={merchant} />
            <Settings merchant={merchant} />
          </>
        }
      />
    </Page>
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
  const { currency, ipAllowList } = merchant;
  const range = (isEnabled: boolean, min: string, max: string) =>
    isEnabled ? (
      <>
        <Money amount={min} currency={currency} /> to <Money amount={max} currency={currency} />
      </>
    ) : (
      'Switched off'
    );
  return (
    <Panel title="Settings">
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
