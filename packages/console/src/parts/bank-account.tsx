import { Copyable } from './copyable.tsx';
import { Facts } from './page.tsx';

/** The end of an account number, as everybody may see it. */
export function maskedAccount(account: { readonly ending: string } | null): string {
  return account === null ? 'None' : `•••• ${account.ending}`;
}

interface BankAccountProps {
  /** Undefined or null where the operator may not see it. */
  payee: { readonly holder: string; readonly number: string; readonly bank: string } | null | undefined;
  account: { readonly ending: string } | null;
}

/** A bank account: all of it for those who may see personal data, else the end of its number. */
export function BankAccountFacts({ payee, account }: BankAccountProps) {
  if (!payee) return <Facts values={{ Number: maskedAccount(account) }} />;
  return (
    <Facts
      values={{
        Holder: <Copyable text={payee.holder} what="holder" />,
        Number: <Copyable text={payee.number} what="account number" />,
        Bank: <Copyable text={payee.bank} what="code of the bank" />,
      }}
    />
  );
}
