import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { TopUpWalletDocument } from '../generated/documents.generated.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { type BreakDetail, subjectOfBreak } from './break-detail.ts';
import { showDay } from './day-look.ts';
import { bookingNoOf, type Line } from './line-of-top-up.ts';

/** Tops up the wallet of the merchant who paid it in, with the amount and the channel of the line. The line then explains it. */
export function topUpFromLine({ breakNo, channelId, currency }: BreakDetail, line: Line): Action {
  const reference = line.bankRef ?? line.channelRef;
  return defineAction({
    operation: 'topUpWallet',
    document: TopUpWalletDocument,
    label: 'Top up a wallet',
    subject: subjectOfBreak(breakNo),
    before: (
      <Before
        values={{
          Amount: <Money amount={line.gross} currency={currency} />,
          'Received by': channelId,
          'Day of the line': showDay(line.day, 'dayMonthYear'),
          ...(reference !== null && { Reference: <Copyable text={reference} what="reference of the line" /> }),
          'This does': 'The wallet gets the amount. The line then explains it, and this break ends by itself.',
        }}
      />
    ),
    fields: [
      { name: 'merchantId', label: 'Merchant number' },
      { name: 'bookingNo', label: 'Number of the bank transfer', initial: bookingNoOf(line) },
      { name: 'remark', label: 'Remark for the merchant', initial: 'bank transfer' },
    ],
    toInput: ({ merchantId = '', bookingNo = '', remark = '' }) => ({
      merchantId: merchantId.trim(),
      bookingNo: bookingNo.trim(),
      amount: line.gross,
      remark: remark.trim(),
      channelId,
    }),
    after: ({ alreadyBooked }) =>
      alreadyBooked
        ? 'This number was booked before. Nothing was changed now.'
        : 'Booked. The line explains it within a minute, and this break ends.',
  });
}
