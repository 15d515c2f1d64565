import { type Action, type ActionValues, defineAction } from '../actions/action.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { Before } from '../actions/action-dialog.tsx';
import { unlessRequested, type Waiting } from '../approvals/waiting-approvals.tsx';
import { formatPercent } from '../format/money.ts';
import { orderKindOptions, orderKindWords } from '../format/words.ts';
import { type OrderKind, RemoveFeeRuleDocument, SetFeeRuleDocument } from '../generated/documents.generated.ts';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { isRequested, type MerchantDetail } from './merchant-detail.ts';

type FeeRule = MerchantDetail['feeRules']['edges'][number]['node'];
interface Props {
  merchant: MerchantDetail;
  /** Requests that wait. */
  approvals: Waiting;
  onDone(): void;
}

/** What the merchant pays for its orders, now and from later moments on. */
export function MerchantFees({ merchant, approvals, onDone }: Props) {
  const rules = merchant.feeRules.edges.map(({ node }) => node);
  return (
    <Panel title="Fees" side={<ActionButton action={setFee(merchant)} onDone={onDone} size="compact-xs" />} isFlush>
      {rules.length === 0 ? (
        <Empty title={isRequested(approvals, 'setFeeRule') ? 'A fee waits for approval' : 'No fee yet'}>
          Without a fee the merchant cannot create orders.
        </Empty>
      ) : (
        <Lines
          label="Fees"
          columns={columnsOf({ merchant, approvals, onDone })}
          rows={rules}
          rowKey={({ kind, bankCode, from }) => `${kind} ${bankCode} ${from}`}
        />
      )}
    </Panel>
  );
}

function columnsOf({ merchant, approvals, onDone }: Props): LineColumn<FeeRule>[] {
  const money = (amount: string | null) => (amount ? <Money amount={amount} currency={merchant.currency} /> : '–');
  return [
    {
      title: 'For',
      cell: ({ kind, bankCode }) => `${orderKindWords[kind].label}${bankCode ? `, bank ${bankCode}` : ''}`,
    },
    { title: 'Percent', align: 'end', cell: ({ percent }) => formatPercent(percent) },
    { title: 'Fixed', align: 'end', cell: ({ fixed }) => money(fixed) },
    { title: 'At least', align: 'end', cell: ({ minimum }) => money(minimum) },
    { title: 'At most', align: 'end', cell: ({ maximum }) => money(maximum) },
    {
      title: 'Of a returned payout',
      cell: ({ kind, isRefundable }) => (kind === 'PAYOUT' ? (isRefundable ? 'given back' : 'kept') : '–'),
    },
    { title: 'From', cell: ({ from }) => (from ? <Time at={from} /> : 'when it was set') },
    {
      title: '',
      cell: (rule) =>
        rule.from !== null &&
        Date.parse(rule.from) > Date.now() && (
          <ActionButton
            action={unlessRequested(removeFee(merchant, rule, rule.from), approvals, subjectOf(rule))}
            onDone={onDone}
            size="compact-xs"
          />
        ),
    },
  ];
}

/** The subject of requests about the rules of a kind and a bank code. */
function subjectOf({ kind, bankCode }: FeeRule): string {
  return ['fee', kind.toLowerCase(), ...(bankCode ? [bankCode] : [])].join(' ');
}

function setFee(merchant: MerchantDetail): Action {
  const { merchantId, name, currency } = merchant;
  return defineAction({
    operation: 'setFeeRule',
    document: SetFeeRuleDocument,
    label: 'Set a fee',
    subject: merchantId,
    before: (values) => (
      <Before
        values={{
          Merchant: name,
          'Fee now': <FeesOf merchant={merchant} typed={values} />,
          'Orders that exist': 'keep their fee',
        }}
      />
    ),
    fields: [
      { name: 'kind', label: 'For', kind: 'choice', options: orderKindOptions },
      { name: 'percent', label: 'Percent of the amount', placeholder: '2.5' },
      { name: 'fixed', label: `Fixed amount (${currency})`, initial: '0.00' },
      { name: 'minimum', label: `At least (${currency})` },
      { name: 'maximum', label: `At most (${currency})` },
      {
        name: 'onReturn',
        label: 'When the bank returns all of a payout',
        kind: 'choice',
        options: [
          { value: 'KEEP', label: 'Keep the fee' },
          { value: 'GIVE_BACK', label: 'Give the fee back' },
        ],
        initial: 'KEEP',
        isShown: ({ kind }) => kind === 'PAYOUT',
      },
      { name: 'bankCode', label: 'Only for this bank code' },
      { name: 'from', label: 'From', kind: 'time' },
    ],
    // The rules of a kind and a bank code have one version.
    expectedVersion: (typed) => rulesOf(merchant, typed)[0]?.version ?? 'new',
    toInput: ({ kind, percent = '', fixed = '', minimum, maximum, onReturn, bankCode, from }) => ({
      merchantId,
      percent,
      fixed,
      kind: kind as OrderKind,
      ...(minimum && { minimum }),
      ...(maximum && { maximum }),
      ...(kind === 'PAYOUT' && onReturn === 'GIVE_BACK' && { isRefundable: true }),
      ...(bankCode && { bankCode }),
      ...(from && { from }),
    }),
    after: () => 'The fee is set. New orders have it within five seconds.',
  });
}

/** The rules that a new one would change, by what was typed. */
function rulesOf({ feeRules }: MerchantDetail, { kind, bankCode = '' }: ActionValues): FeeRule[] {
  const rules = feeRules.edges.map(({ node }) => node);
  return rules.filter((rule) => rule.kind === kind && (rule.bankCode ?? '') === bankCode.trim());
}

function FeesOf({ merchant, typed }: { merchant: MerchantDetail; typed: ActionValues }) {
  const rules = rulesOf(merchant, typed);
  if (rules.length === 0) return 'None';
  return rules.map(({ percent, fixed, from }) => (
    <div key={from}>
      {formatPercent(percent)} and <Money amount={fixed} currency={merchant.currency} />
      {from && (
        <>
          , from <Time at={from} />
        </>
      )}
    </div>
  ));
}

function removeFee(
  { merchantId, name }: MerchantDetail,
  { kind, bankCode, version, percent }: FeeRule,
  from: string,
): Action {
  return defineAction({
    operation: 'removeFeeRule',
    document: RemoveFeeRuleDocument,
    label: 'Remove',
    isDangerous: true,
    subject: merchantId,
    before: (
      <Before
        values={{
          Merchant: name,
          For: orderKindWords[kind].label,
          Percent: formatPercent(percent),
          From: <Time at={from} />,
        }}
      />
    ),
    expectedVersion: version,
    toInput: () => ({ merchantId, kind, from, ...(bankCode && { bankCode }) }),
    after: () => 'The scheduled fee is removed.',
  });
}
