import type { StatementRowFragment } from '../generated/documents.generated.ts';
import { Lines } from '../parts/lines.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { showDay } from './day-look.ts';
import { statementStateWords } from './reconciliation-words.ts';

/** Statements in a panel: what each is and how far it has come. */
export function StatementLines({ rows }: { rows: readonly StatementRowFragment[] }) {
  return (
    <Lines
      label="Statements"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        {
          title: 'File',
          wraps: true,
          cell: ({ country, name, fileNo }) => (
            <>
              <ScreenLink to={`/reconciliation/statements/${country}/${fileNo}`}>{name}</ScreenLink>{' '}
              <span className="soft">no. {fileNo}</span>
            </>
          ),
        },
        { title: 'State', cell: ({ state }) => <Status word={statementStateWords[state]} /> },
        { title: 'Days', cell: (row) => <CoveredDays row={row} /> },
        { title: 'Lines', align: 'end', cell: (row) => <ReadRows row={row} /> },
        {
          title: 'Uploaded',
          cell: ({ uploadedAt, uploadedBy }) => (
            <>
              <Time at={uploadedAt} /> <span className="soft">{uploadedBy}</span>
            </>
          ),
        },
      ]}
    />
  );
}

/** The days that a statement covers. */
export function CoveredDays({ row: { firstDay, lastDay } }: { row: StatementRowFragment }) {
  if (firstDay === null || lastDay === null) return <span className="soft">–</span>;
  return <>{firstDay === lastDay ? showDay(firstDay) : `${showDay(firstDay)} to ${showDay(lastDay)}`}</>;
}

/** How many lines were read, with a link to the rows that cannot be read. */
export function ReadRows({ row: { country, fileNo, lines, unparsedRows } }: { row: StatementRowFragment }) {
  if (lines === null) return <span className="soft">–</span>;
  return (
    <>
      <span className="figures">{lines}</span>
      {unparsedRows !== null && unparsedRows > 0 && (
        <>
          {' '}
          <ScreenLink
            to="/reconciliation/breaks"
            search={{ countries: country, fileNo, kinds: 'UNPARSED', view: 'all' }}
          >
            {unparsedRows} set aside
          </ScreenLink>
        </>
      )}
    </>
  );
}
