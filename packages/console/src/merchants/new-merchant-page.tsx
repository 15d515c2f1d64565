import { Button } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { type Action, defineAction } from '../actions/action.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { countryNames } from '../format/words.ts';
import { type Country, CreateMerchantDocument, MerchantDetailDocument } from '../generated/documents.generated.ts';
import { useChanges } from '../graphql/changes.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Failure, Notice } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import type { MerchantDetail } from './merchant-detail.ts';
import { MerchantFees } from './merchant-fees.tsx';
import { MerchantKeys } from './merchant-keys.tsx';
import { MerchantRoutes } from './merchant-routes.tsx';
import styles from './merchants.module.css';

const route = getRouteApi('/shell/merchants/new');
/** How often the page looks for the first signed request, in milliseconds. */
const POLL_MS = 3_000;

/** Sets a merchant up, from its number to its first signed request. What exists already decides which step is next. */
export function NewMerchantPage() {
  const { merchantId } = route.useSearch();
  return (
    <Page title="New merchant">
      <div className={styles.steps}>{merchantId ? <SetUp merchantId={merchantId} /> : <Create />}</div>
    </Page>
  );
}

function Create() {
  const navigate = useNavigate();
  return (
    <Panel title="1. Number, name, country">
      <p>The number is what the merchant sends with each request. It cannot be changed later.</p>
      <ActionButton
        variant="filled"
        action={create((merchantId) => void navigate({ to: '.', search: { merchantId } as never }))}
      />
    </Panel>
  );
}

function create(created: (merchantId: string) => void): Action {
  return defineAction({
    operation: 'createMerchant',
    document: CreateMerchantDocument,
    label: 'Create a merchant',
    subject: 'merchant',
    before: null,
    fields: [
      { name: 'merchantId', label: 'Number', placeholder: 'IN20001' },
      { name: 'name', label: 'Name' },
      { name: 'country', label: 'Country', kind: 'choice', options: countries },
      { name: 'defaultNotifyUrl', label: 'Notification address', placeholder: 'https://' },
    ],
    toInput: ({ merchantId = '', name = '', country, defaultNotifyUrl }) => ({
      merchantId,
      name,
      country: country as Country,
      ...(defaultNotifyUrl && { defaultNotifyUrl }),
    }),
    after: ({ merchant }) => (
      <>
        The merchant {merchant.merchantId} exists.{' '}
        <Button size="compact-sm" onClick={() => created(merchant.merchantId)}>
          Go on with its key
        </Button>
      </>
    ),
  });
}

const countries = Object.entries(countryNames).map(([value, label]) => ({ value, label }));

function SetUp({ merchantId }: { merchantId: string }) {
  const [{ data, error }, read] = useQuery({ query: MerchantDetailDocument, variables: { merchantId } });
  const refresh = () => read({ requestPolicy: 'network-only' });
  useChanges(useSoon(refresh));
  const merchant = data?.merchant ?? null;
  const usedAt = merchant?.keys.edges.map(({ node }) => node.lastUsedAt).find((at) => at !== null) ?? null;
  const isWaiting = merchant !== null && usedAt === null;
  usePoll(refresh, isWaiting ? POLL_MS : null);
  if (error) return <Failure error={error} retry={refresh} />;
  if (!merchant) return <p className="soft">Loading …</p>;
  return (
    <>
      <Notice tone="good">
        1. {merchant.name} ({merchantId}) exists.
      </Notice>
      <WaitingApprovals approvals={data?.approvals} isPart />
      <Step title="2. Its public key" help="The merchant keeps the private key. A second operator approves the key.">
        <MerchantKeys merchant={merchant} approvals={data?.approvals} onDone={refresh} />
      </Step>
      <Step title="3. Fees and routes" help="A second operator approves each. Approved ones appear here.">
        <MerchantFees merchant={merchant} approvals={data?.approvals} onDone={refresh} />
        <MerchantRoutes merchant={merchant} approvals={data?.approvals} onDone={refresh} />
      </Step>
      <FirstRequest merchant={merchant} usedAt={usedAt} />
    </>
  );
}

function Step({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <>
      <h2>{title}</h2>
      <p className="soft">{help}</p>
      {children}
    </>
  );
}

function FirstRequest({ merchant, usedAt }: { merchant: MerchantDetail; usedAt: string | null }) {
  const { merchantId, setupWarnings } = merchant;
  return (
    <Step
      title="4. A signed test request"
      help="The merchant reads its wallet. That moves no money, and shows that key, signature and clock are right."
    >
      <pre className={styles.command}>
        {`TIDEGATE_MERCHANT_NO=${merchantId} TIDEGATE_PRIVATE_KEY_FILE=merchant-private.pem \\\n  sh sign.sh GET wallet`}
      </pre>
      {setupWarnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {usedAt === null ? (
        <Notice tone="info">Waiting for the first request with a valid signature.</Notice>
      ) : (
        <Notice tone="good">
          The first valid request came in: <Time at={usedAt} />. The merchant can begin.
        </Notice>
      )}
    </Step>
  );
}
