import { type Action, defineAction } from '../actions/action.ts';
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
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { maskedAccount, type SettlementDetail, settlementStateWords } from './settlement-words.ts';

/** What can be done with a settlement as it is, the usual step first. What is not possible now says why. */
export function settlementActions(found: SettlementDetail): Action[] {
  const steps: [ActionName, (found: SettlementDetail) => Action][] = [
    ['APPROVE_SETTLEMENT', approve],
    ['SEND_SETTLEMENT', send],
    ['PAY_SETTLEMENT', pay],
    ['CONFIRM_SETTLEMENT', confirm],
  ];
  return steps.filter(([name]) => allowedAction(found.actions, name) !== null).map(([, step]) => step(found));
}

/** What can be done when a settlement goes wrong. */
export function settlementTrouble(found: SettlementDetail): Action[] {
  return allowedAction(found.actions, 'FAIL_SETTLEMENT') === null ? [] : [fail(found)];
}

function WhatItIs({
  found,
  name,
  willBe,
}: {
  found: SettlementDetail;
  name: ActionName;
  willBe: SettlementDetail['state'];
}) {
  const { merchantId, amount, currency, account, state, actions } = found;
  return (
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
  );
}

const named = ({ merchantId, settlementNo }: SettlementDetail) => ({ merchantId, settlementNo });

function approve(found: SettlementDetail): Action {
  return defineAction({
    operation: 'approveSettlement',
    document: ApproveSettlementDocument,
    label: 'Approve the settlement',
    subject: found.settlementNo,
    before: <WhatItIs found={found} name="APPROVE_SETTLEMENT" willBe="APPROVED" />,
    toInput: () => ({ ...named(found), seenVersion: found.draftVersion, seenAmount: found.amount }),
    after: () => 'The settlement is approved. Its amount has left the wallet and has to be paid.',
    blocked: blockedBy(found.actions, 'APPROVE_SETTLEMENT'),
  });
}

function send(found: SettlementDetail): Action {
  return defineAction({
    operation: 'sendSettlement',
    document: SendSettlementDocument,
    label: 'Pay through a channel',
    subject: found.settlementNo,
    before: <WhatItIs found={found} name="SEND_SETTLEMENT" willBe="PAID" />,
    fields: [{ name: 'channelId', label: 'Channel, or empty for the first of the merchant’s routes' }],
    toInput: ({ channelId = '' }) => ({
      ...named(found),
      ...(channelId.trim() !== '' && { channelId: channelId.trim() }),
    }),
    after: () => 'A worker sends it to the channel now. The page shows what the channel answers.',
    blocked: blockedBy(found.actions, 'SEND_SETTLEMENT'),
  });
}

function pay(found: SettlementDetail): Action {
  return defineAction({
    operation: 'paySettlement',
    document: PaySettlementDocument,
    label: 'Claim the payment',
    subject: found.settlementNo,
    before: <WhatItIs found={found} name="PAY_SETTLEMENT" willBe="PAID" />,
    fields: [{ name: 'reference', label: 'Reference of your transfer', initial: found.settlementNo }],
    toInput: ({ reference = '' }) => ({ ...named(found), reference: reference.trim() }),
    after: () => 'The payment is yours. Transfer the amount now, with the settlement number as reference.',
    blocked: blockedBy(found.actions, 'PAY_SETTLEMENT'),
  });
}

function confirm(found: SettlementDetail): Action {
  return defineAction({
    operation: 'confirmSettlement',
    document: ConfirmSettlementDocument,
    label: 'Confirm the payment',
    subject: found.settlementNo,
    before: <WhatItIs found={found} name="CONFIRM_SETTLEMENT" willBe="CONFIRMED" />,
    fields: [{ name: 'reference', label: "Reference on the bank's statement", initial: found.reference ?? '' }],
    toInput: ({ reference = '' }) => ({ ...named(found), reference: reference.trim() }),
    after: () => 'The settlement is confirmed.',
    blocked: blockedBy(found.actions, 'CONFIRM_SETTLEMENT'),
  });
}

function fail(found: SettlementDetail): Action {
  return defineAction({
    operation: 'failSettlement',
    document: FailSettlementDocument,
    label: 'Fail the settlement',
    isDangerous: true,
    subject: found.settlementNo,
    before: <WhatItIs found={found} name="FAIL_SETTLEMENT" willBe="FAILED" />,
    fields: [{ name: 'detail', label: 'What the bank says', kind: 'area' }],
    toInput: ({ detail = '' }) => ({ ...named(found), detail: detail.trim(), seenState: found.state }),
    after: () => 'The amount is back in the wallet, and a case is open.',
    blocked: blockedBy(found.actions, 'FAIL_SETTLEMENT'),
  });
}
