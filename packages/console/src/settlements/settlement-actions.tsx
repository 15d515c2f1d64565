import { type Action, type ActionField, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { allowedAction, blockedBy, SecondOperator } from '../actions/allowed.tsx';
import {
  type Action as ActionName,
  ApproveSettlementDocument,
  ConfirmSettlementDocument,
  FailSettlementDocument,
  PaySettlementDocument,
  SendSettlementDocument,
} from '../generated/documents.generated.ts';
import { maskedAccount } from '../parts/bank-account.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { type SettlementDetail, settlementStateWords } from './settlement-words.ts';

/** The next step of a settlement, the usual way first. What is not possible now says why. */
export function settlementActions(found: SettlementDetail): Action[] {
  const confirming = found.state === 'APPROVED' ? [] : [confirm(found)];
  return [approve(found), send(found), pay(found), ...confirming].filter((action) => action !== null);
}

/** What can be done when a settlement takes an unusual way: paid without a claim, or not paid. */
export function settlementTrouble(found: SettlementDetail): Action[] {
  const confirming = found.state === 'APPROVED' ? [confirm(found)] : [];
  return [...confirming, fail(found)].filter((action) => action !== null);
}

/** What every action of a settlement has. Null: it is no step of the settlement as it is. */
function sharedBy(found: SettlementDetail, name: ActionName, willBe: SettlementDetail['state'], field?: ActionField) {
  const { merchantId, settlementNo, amount, currency, account, state, actions } = found;
  if (allowedAction(actions, name) === null) return null;
  return {
    subject: settlementNo,
    before: (
      <Before
        values={{
          Merchant: <span className="mono">{merchantId}</span>,
          Amount: <Money amount={amount} currency={currency} />,
          'Bank account': maskedAccount(account),
          State: <Status word={settlementStateWords[state]} />,
          'Will be': <Status word={settlementStateWords[willBe]} />,
          'Second operator': <SecondOperator action={allowedAction(actions, name)} currency={currency} />,
        }}
      />
    ),
    blocked: blockedBy(actions, name),
    ...(field && { fields: [field] }),
  };
}

const named = ({ merchantId, settlementNo }: SettlementDetail) => ({ merchantId, settlementNo });

function approve(found: SettlementDetail): Action | null {
  const shared = sharedBy(found, 'APPROVE_SETTLEMENT', 'APPROVED');
  return (
    shared &&
    defineAction({
      ...shared,
      operation: 'approveSettlement',
      document: ApproveSettlementDocument,
      label: 'Approve the settlement',
      toInput: () => ({ ...named(found), seenVersion: found.draftVersion, seenAmount: found.amount }),
      after: () => 'The settlement is approved. Its amount has left the wallet and has to be paid.',
    })
  );
}

function send(found: SettlementDetail): Action | null {
  const label = 'Channel, or empty for the first of the merchant’s routes';
  const shared = sharedBy(found, 'SEND_SETTLEMENT', 'PAID', { name: 'channelId', label });
  return (
    shared &&
    defineAction({
      ...shared,
      operation: 'sendSettlement',
      document: SendSettlementDocument,
      label: 'Pay through a channel',
      toInput: ({ channelId = '' }) => ({
        ...named(found),
        ...(channelId.trim() !== '' && { channelId: channelId.trim() }),
      }),
      after: () => 'A worker sends it to the channel now. The page shows what the channel answers.',
    })
  );
}

function pay(found: SettlementDetail): Action | null {
  const field = { name: 'reference', label: 'Reference of your transfer', initial: found.settlementNo };
  const shared = sharedBy(found, 'PAY_SETTLEMENT', 'PAID', field);
  return (
    shared &&
    defineAction({
      ...shared,
      operation: 'paySettlement',
      document: PaySettlementDocument,
      label: 'Claim the payment',
      toInput: ({ reference = '' }) => ({ ...named(found), reference: reference.trim() }),
      after: () => 'The payment is yours. Transfer the amount now, with the settlement number as reference.',
    })
  );
}

function confirm(found: SettlementDetail): Action | null {
  const field = { name: 'reference', label: "Reference on the bank's statement", initial: found.reference ?? '' };
  const shared = sharedBy(found, 'CONFIRM_SETTLEMENT', 'CONFIRMED', field);
  return (
    shared &&
    defineAction({
      ...shared,
      operation: 'confirmSettlement',
      document: ConfirmSettlementDocument,
      label: 'Confirm the payment',
      toInput: ({ reference = '' }) => ({ ...named(found), reference: reference.trim() }),
      after: () => 'The settlement is confirmed.',
    })
  );
}

function fail(found: SettlementDetail): Action | null {
  const shared = sharedBy(found, 'FAIL_SETTLEMENT', 'FAILED', {
    name: 'detail',
    label: 'Why it was not paid',
    kind: 'area',
  });
  // Its bank file may have been downloaded. Then the bank may pay it.
  const evidence: ActionField[] =
    found.fileNo === null
      ? []
      : [
          {
            name: 'evidence',
            label: 'What the bank says: needed once the bank file was downloaded',
            kind: 'area',
          },
        ];
  return (
    shared &&
    defineAction({
      ...shared,
      fields: [...(shared.fields ?? []), ...evidence],
      operation: 'failSettlement',
      document: FailSettlementDocument,
      label: 'Fail the settlement',
      isDangerous: true,
      toInput: ({ detail = '', evidence: word = '' }) => ({
        ...named(found),
        detail: detail.trim(),
        seenState: found.state,
        ...(word.trim() !== '' && { evidence: word.trim() }),
      }),
      after: () => 'The amount is back in the wallet, and a case is open.',
    })
  );
}
