import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import {
  type Action as ActionName,
  AdjustWalletDocument,
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
      fields: fields('Amount received'),
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
      fields: fields('Amount to add, negative to deduct'),
    }),
  ];
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
