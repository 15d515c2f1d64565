import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { countryNames } from '../format/words.ts';
import { ConfirmStatementDocument, type StatementDetailQuery } from '../generated/documents.generated.ts';
import { Money } from '../parts/money.tsx';

type Statement = NonNullable<StatementDetailQuery['statement']>;

/** Confirms that a statement which another operator uploaded is the bank's. Its lines prove settlements only then. */
export function confirmStatement(statement: Statement & { sha256: string }): Action {
  const { country, currency, fileNo, channelId, name, sha256, uploadedBy, totalIn, totalOut } = statement;
  const money = (amount: string | null) => amount && <Money amount={amount} currency={currency} />;
  return defineAction({
    operation: 'confirmStatement',
    document: ConfirmStatementDocument,
    label: 'Confirm the statement',
    subject: `statement ${fileNo}`,
    before: (
      <Before
        values={{
          File: name,
          Channel: channelId,
          Country: countryNames[country],
          'Uploaded by': uploadedBy,
          In: money(totalIn),
          Out: money(totalOut),
          'What it does': 'its lines can confirm and fail settlements',
        }}
      />
    ),
    toInput: () => ({ country, fileNo: fileNo, sha256 }),
    after: () => 'The statement is confirmed.',
  });
}
