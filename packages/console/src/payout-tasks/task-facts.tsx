import type { ReactNode } from 'react';
import { Copyable, CopyButton } from '../parts/copyable.tsx';
import { Money } from '../parts/money.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import type { TaskDetail } from './task-state.ts';

/** Whom to pay, each part with a button that copies it. */
export function Payee({ task }: { task: TaskDetail }) {
  const { party, bankCode, amount, currency } = task;
  if (!party)
    return (
      <Panel title="Pay to">
        <Empty title="Hidden">The data of payees is personal. Viewers do not see it.</Empty>
      </Panel>
    );
  const copy = (text: string | null | undefined, what: string): ReactNode =>
    text ? <Copyable text={text} what={what} /> : null;
  return (
    <Panel title="Pay to">
      <Facts
        values={{
          Name: copy(party.name, 'name'),
          Account: copy(party.account, 'account'),
          Bank: copy(bankCode, 'bank'),
          Amount: (
            <>
              <Money amount={amount} currency={currency} /> <CopyButton text={amount} what="amount" />
            </>
          ),
          Phone: copy(party.mobile, 'phone'),
          'E-mail': copy(party.email, 'e-mail'),
          IFSC: copy(party.ifsc, 'IFSC'),
          'Id number': copy(party.idNo, 'id number'),
        }}
      />
    </Panel>
  );
}

/** The proof of the payment by the operator. */
export function TaskProof({ task }: { task: TaskDetail }) {
  const proof = task.task?.proof;
  if (!proof) return null;
  return (
    <Panel title="Proof">
      <Facts
        values={{
          'Bank reference': <Copyable text={proof.reference} what="bank reference" />,
          'Paid from': proof.payer,
          Sent: <Time at={proof.at} />,
          By: task.task?.claimedBy,
          Note: proof.note,
        }}
      />
    </Panel>
  );
}
