import { useQuery } from 'urql';
import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { listRoles, operationNamed } from '../actions/operation.ts';
import { groupCount } from '../format/money.ts';
import { countryNames } from '../format/words.ts';
import {
  type Country,
  CreateSettlementFileDocument,
  SettlementsToPayDocument,
} from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';
import { readAccount } from './cycle-changes.ts';
import { AccountField } from './cycle-fields.tsx';
import { toSettlementFilter } from './settlement-filters.ts';

const ACCOUNT_HINT =
  'Our account that pays. Leave it empty to pay from the same account as before. The second operator sees all of it.';

/** Puts the approved settlements of a country into a new bank file. `countries`: those that the operator may see. */
export function createFile(countries: readonly string[]): Action {
  return defineAction({
    operation: 'createSettlementFile',
    document: CreateSettlementFileDocument,
    label: 'Create a bank file',
    subject: undefined,
    before: ({ country = '', account = '' }) => (
      <Before
        values={{
          'To pay now': <ToPay country={country as Country} />,
          'In the file': 'the oldest first, at most 1,000',
          'Will be': 'paid: no other operator can claim them',
          'Second operator':
            readAccount(account) === null
              ? 'Not needed. For another account, it is.'
              : `Needed: another operator with the role ${listRoles(operationNamed('createSettlementFile').roles)}`,
        }}
      />
    ),
    fields: [
      {
        name: 'country',
        label: 'Country',
        kind: 'choice',
        options: countries.map((value) => ({ value, label: countryNames[value] ?? value })),
      },
      { name: 'executionDay', label: 'Day of payment', placeholder: '2026-11-23' },
      {
        name: 'account',
        label: 'Bank account',
        kind: 'custom',
        render: (field) => <AccountField {...field} hint={ACCOUNT_HINT} />,
      },
    ],
    toInput: ({ country = '', executionDay = '', account = '' }) => ({
      country: country as Country,
      executionDay: executionDay.trim() || undefined,
      account: readAccount(account) ?? undefined,
    }),
    after: ({ file }) =>
      file && (
        <>
          {`${file.fileNo} is ready: ${file.settlements} ${file.settlements === 1 ? 'payment' : 'payments'}, `}
          <Money amount={file.total} currency={file.currency} />. Download it, and upload it to the bank once.
        </>
      ),
  });
}

/** How many settlements of a country wait for their payment. */
function ToPay({ country }: { country: Country }) {
  const filter = toSettlementFilter({ countries: [country] }, 'approved', 'UTC');
  const [{ data }] = useQuery({ query: SettlementsToPayDocument, variables: { filter } });
  if (!data?.settlements) return <span className="soft">…</span>;
  const { totalCount, totalCountIsExact } = data.settlements;
  const most = totalCountIsExact ? '' : 'more than ';
  return `${most}${groupCount(totalCount)} ${totalCount === 1 ? 'settlement' : 'settlements'}`;
}
