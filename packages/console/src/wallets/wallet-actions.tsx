import { type Action, type ActionField, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import {
  type Action as ActionName,
  type AdjustmentKind,
  AdjustWalletDocument,
  ReverseBookingDocument,
  SettleWalletDocument,
  TopUpWalletDocument,
  type WalletOfQuery,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';

type Merchant = NonNullable<WalletOfQuery['merchant']>;

/** The entries that can be booked by hand. Above the daily limit of an operator a second operator has to approve. */
export function walletActions(merchant: Merchant): Action[] {
  const { currency, actions } = merchant.wallet;
  const sharedBy = (name: ActionName) => ({
    subject: merchant.merchantId,
    before: before(merchant, name),
    blocked: blockedBy(actions, name),
    toInput: ({ bookingNo = '', amount = '', remark = '' }) => ({
      merchantId: merchant.merchantId,
      bookingNo,
      amount,
      remark,
    }),
    after,
  });
  const fields = (amountLabel: string) => [
    { name: 'amount', label: `${amountLabel} (${currency})` },
    { name: 'bookingNo', label: 'Number of the bank transfer' },
    { name: 'remark', label: 'Remark for the merchant' },
  ];
  return [
    defineAction({
      ...sharedBy('TOP_UP_WALLET'),
      operation: 'topUpWallet',
      document: TopUpWalletDocument,
      label: 'Top up',
      fields: [
        ...fields('Amount received'),
        { name: 'channelId', label: 'Channel whose account received it, or empty if no statement shows it' },
      ],
      toInput: ({ bookingNo = '', amount = '', remark = '', channelId = '' }) => ({
        merchantId: merchant.merchantId,
        bookingNo,
        amount,
        remark,
        ...(channelId.trim() !== '' && { channelId: channelId.trim() }),
      }),
    }),
    defineAction({
      ...sharedBy('SETTLE_WALLET'),
      operation: 'settleWallet',
      document: SettleWalletDocument,
      label: 'Record a payment to the merchant',
      fields: fields('Amount paid to the merchant'),
    }),
    defineAction({
      ...sharedBy('ADJUST_WALLET'),
      operation: 'adjustWallet',
      document: AdjustWalletDocument,
      label: 'Correct the balance',
      isDangerous: true,
      toInput: ({ bookingNo = '', amount = '', remark = '', kind, channelId, corrects }) => ({
        merchantId: merchant.merchantId,
        bookingNo,
        amount,
        remark,
        kind: kind as AdjustmentKind,
        channelId: kind === 'VARIANCE' ? channelId : undefined,
        corrects: corrects || undefined,
      }),
      fields: adjustmentFields(currency),
    }),
    reversal(merchant),
  ];
}

const ADJUSTMENT_KINDS: readonly { value: AdjustmentKind; label: string }[] = [
  { value: 'FEE', label: 'Our fees: a fee is given back, or charged' },
  { value: 'VARIANCE', label: 'A variance: differences of a channel' },
  { value: 'BANK', label: 'The bank: money that moved there' },
  { value: 'DISPUTE', label: 'Disputes with payers' },
];

function adjustmentFields(currency: string): ActionField[] {
  return [
    { name: 'kind', label: 'Booked against', kind: 'choice', options: ADJUSTMENT_KINDS },
    { name: 'channelId', label: 'Channel of the variance', isShown: ({ kind }) => kind === 'VARIANCE' },
    { name: 'amount', label: `Amount to add, negative to deduct (${currency})` },
    { name: 'bookingNo', label: 'Number of the adjustment' },
    { name: 'corrects', label: 'What it corrects, if anything' },
    { name: 'remark', label: 'Remark for the merchant' },
  ];
}

/** Takes a wrong booking back, whatever its account was. */
function reversal(merchant: Merchant): Action {
  const { name, merchantId, wallet } = merchant;
  return defineAction({
    operation: 'reverseBooking',
    document: ReverseBookingDocument,
    label: 'Reverse a booking',
    isDangerous: true,
    subject: merchantId,
    before: (
      <Before
        values={{
          Merchant: `${name} (${merchantId})`,
          'Available now': <Money amount={wallet.available} currency={wallet.currency} />,
          'This says': 'The opposite amount is booked against the same account, once',
          'Second operator': 'Needed: another operator with the role finance',
        }}
      />
    ),
    // The rights are those of an adjustment.
    blocked: blockedBy(wallet.actions, 'ADJUST_WALLET'),
    fields: [
      { name: 'bookingNo', label: 'Number of the wrong top-up, settlement or adjustment' },
      { name: 'remark', label: 'Remark for the merchant' },
    ],
    toInput: ({ bookingNo = '', remark = '' }) => ({ merchantId, bookingNo, remark }),
    after: () => 'The booking is reversed.',
  });
}

function before({ name, merchantId, wallet }: Merchant, action: ActionName) {
  return (
    <Before
      values={{
        Merchant: `${name} (${merchantId})`,
        'Available now': <Money amount={wallet.available} currency={wallet.currency} />,
        'Second operator': <SecondOperator action={allowedAction(wallet.actions, action)} currency={wallet.currency} />,
      }}
    />
  );
}

function after({ alreadyBooked, wallet }: Booked) {
  if (alreadyBooked) return 'This number was booked before. Nothing was changed now.';
  return wallet ? (
    <>
      Booked. Available now: <Money amount={wallet.available} currency={wallet.currency} />
    </>
  ) : (
    'Booked.'
  );
}

interface Booked {
  alreadyBooked: boolean | null;
  wallet: { available: string; currency: string } | null;
}
