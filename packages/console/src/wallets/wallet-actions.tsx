import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import {
  AdjustWalletDocument,
  SettleWalletDocument,
  TopUpWalletDocument,
  type WalletOfQuery,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';

type Merchant = NonNullable<WalletOfQuery['merchant']>;

/** What can be booked in a wallet by hand. Above an operator's daily limit a second one has to approve. */
export function walletActions(merchant: Merchant): Action[] {
  const { currency } = merchant.wallet;
  const shared = {
    subject: merchant.merchantId,
    before: before(merchant),
    toInput: ({ bookingNo = '', amount = '', remark = '' }) => ({
      merchantId: merchant.merchantId,
      bookingNo,
      amount,
      remark,
    }),
    after,
  };
  const fields = (amountLabel: string) => [
    { name: 'amount', label: `${amountLabel} (${currency})` },
    { name: 'bookingNo', label: 'Number of the bank transfer' },
    { name: 'remark', label: 'Remark for the merchant' },
  ];
  return [
    defineAction({
      ...shared,
      operation: 'topUpWallet',
      document: TopUpWalletDocument,
      label: 'Top up',
      fields: fields('Amount received'),
    }),
    defineAction({
      ...shared,
      operation: 'settleWallet',
      document: SettleWalletDocument,
      label: 'Settle',
      fields: fields('Amount paid to the merchant'),
    }),
    defineAction({
      ...shared,
      operation: 'adjustWallet',
      document: AdjustWalletDocument,
      label: 'Correct the balance',
      isDangerous: true,
      fields: fields('Amount to add, negative to deduct'),
    }),
  ];
}

function before({ name, merchantId, wallet }: Merchant) {
  return (
    <Before
      values={{
        Merchant: `${name} (${merchantId})`,
        'Available now': <Money amount={wallet.available} currency={wallet.currency} />,
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
