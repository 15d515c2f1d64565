import { type Action, defineAction } from '../actions/action.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { Before } from '../actions/action-dialog.tsx';
import { unlessRequested, type Waiting } from '../approvals/waiting-approvals.tsx';
import {
  AddMerchantKeyDocument,
  RetireMerchantKeyDocument,
  RotateServiceKeyDocument,
} from '../generated/documents.generated.ts';
import { Copyable, CopyButton } from '../parts/copyable.tsx';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { isRequested, type MerchantDetail } from './merchant-detail.ts';

type Key = MerchantDetail['keys']['edges'][number]['node'];
type ServiceKey = MerchantDetail['serviceKeys']['edges'][number]['node'];
interface Props {
  merchant: MerchantDetail;
  /** Requests that wait. */
  approvals: Waiting;
  onDone(): void;
}

function NoKey({ isRequested }: { isRequested: boolean }) {
  if (isRequested)
    return (
      <Empty title="A key waits for approval">It appears here once another operator has approved the request.</Empty>
    );
  return <Empty title="No key yet">The merchant makes a key pair and sends you the public key. Add it here.</Empty>;
}

/** Keys that the merchant signs with, and keys that notifications to it are signed with. */
export function MerchantKeys({ merchant, approvals, onDone }: Props) {
  const keys = merchant.keys.edges.map(({ node }) => node);
  const serviceKeys = merchant.serviceKeys.edges.map(({ node }) => node);
  return (
    <>
      <Panel
        title="Keys of the merchant"
        side={<ActionButton action={addKey(merchant)} onDone={onDone} size="compact-xs" />}
        isFlush
      >
        {keys.length === 0 ? (
          <NoKey isRequested={isRequested(approvals, 'addMerchantKey')} />
        ) : (
          <Lines
            label="Keys of the merchant"
            columns={keyColumns({ merchant, approvals, onDone })}
            rows={keys}
            rowKey={({ keyId }) => keyId}
          />
        )}
      </Panel>
      <Panel
        title="Keys that sign notifications"
        side={
          <ActionButton
            action={unlessRequested(rotate(merchant), approvals, 'service key')}
            onDone={onDone}
            size="compact-xs"
          />
        }
        isFlush
      >
        <Lines
          label="Keys that sign notifications"
          columns={serviceKeyColumns}
          rows={serviceKeys}
          rowKey={({ keyId }) => keyId}
        />
      </Panel>
    </>
  );
}

function isOver(at: string | null): boolean {
  return at !== null && Date.parse(at) <= Date.now();
}

function keyColumns({ merchant, approvals, onDone }: Props): LineColumn<Key>[] {
  return [
    { title: 'Key', cell: ({ keyId }) => <Copyable text={keyId} what="key id" /> },
    { title: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never') },
    {
      title: 'State',
      cell: ({ expiresAt }) =>
        isOver(expiresAt) ? (
          <Status word={{ label: 'Ended', tone: 'idle' }} />
        ) : expiresAt ? (
          <>
            ends <Time at={expiresAt} />
          </>
        ) : (
          <Status word={{ label: 'Active', tone: 'good' }} />
        ),
    },
    {
      title: '',
      cell: (key) =>
        isOver(key.expiresAt) ? null : (
          <ActionButton
            action={unlessRequested(retireKey(merchant, key), approvals, key.keyId)}
            onDone={onDone}
            size="compact-xs"
          />
        ),
    },
  ];
}

const serviceKeyColumns: LineColumn<ServiceKey>[] = [
  { title: 'Key', cell: ({ keyId }) => <Copyable text={keyId} what="key id" /> },
  { title: 'Signs from', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'Ends', cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} /> : 'not planned') },
  { title: 'Public key', cell: ({ publicKeyPem }) => <CopyButton text={publicKeyPem} what="public key" /> },
];

function addKey({ merchantId, name }: MerchantDetail): Action {
  return defineAction({
    operation: 'addMerchantKey',
    document: AddMerchantKeyDocument,
    label: 'Add a key',
    subject: merchantId,
    before: <Before values={{ Merchant: name, 'Keys that exist': 'stay valid' }} />,
    fields: [{ name: 'publicKey', label: 'Public key of the merchant, as PEM', kind: 'area' }],
    toInput: ({ publicKey = '' }) => ({ merchantId, publicKey: publicKey.trim() }),
    after: ({ keyId }) => `The key ${keyId ?? ''} is added.`,
  });
}

function retireKey({ merchantId, name }: MerchantDetail, { keyId, version, lastUsedAt }: Key): Action {
  return defineAction({
    operation: 'retireMerchantKey',
    document: RetireMerchantKeyDocument,
    label: 'End',
    isDangerous: true,
    subject: merchantId,
    before: (
      <Before values={{ Merchant: name, Key: keyId, 'Last used': lastUsedAt ? <Time at={lastUsedAt} /> : 'never' }} />
    ),
    expectedVersion: version,
    fields: [{ name: 'endsAt', label: 'Ends at', kind: 'time' }],
    toInput: ({ endsAt }) => ({ merchantId, keyId, ...(endsAt && { endsAt }) }),
    after: () => 'The key ends at that time. Requests that it signs are refused afterwards.',
  });
}

function rotate({ merchantId, name }: MerchantDetail): Action {
  return defineAction({
    operation: 'rotateServiceKey',
    document: RotateServiceKeyDocument,
    label: 'New key',
    subject: merchantId,
    before: <Before values={{ Merchant: name, 'The old key': 'stays published during the overlap' }} />,
    fields: [{ name: 'overlapHours', label: 'Overlap in hours', initial: '24' }],
    toInput: ({ overlapHours }) => ({ merchantId, overlapHours: Number(overlapHours) }),
    after: ({ keyId }) => `Notifications are signed with the new key ${keyId ?? ''}.`,
  });
}
