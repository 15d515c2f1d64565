import { getRouteApi } from '@tanstack/react-router';
import { ActionButton } from '../actions/action-button.tsx';
import { asSentence, countryNames } from '../format/words.ts';
import { type Country, StatementDetailDocument, type StatementDetailQuery } from '../generated/documents.generated.ts';
import { usePoll } from '../graphql/use-poll.ts';
import { Columns, Heading } from '../parts/columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Money } from '../parts/money.tsx';
import { Notice } from '../parts/notice.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { useMe } from '../session/use-me.ts';
import { sizeOf } from '../work/files.tsx';
import { confirmStatement } from './confirm-statement.tsx';
import { showDay } from './day-look.ts';
import { fetchAgain } from './fetch-statement.tsx';
import { ReconciliationHistory } from './reconciliation-history.tsx';
import { statementStateWords } from './reconciliation-words.ts';
import { StatementContent } from './statement-content.tsx';
import { CoveredDays, ReadRows } from './statement-lines.tsx';
import { StatementVersions } from './statement-versions.tsx';
import { tenantOf } from './to-filter.ts';

const route = getRouteApi('/shell/reconciliation/statements/$country/$fileNo');
/** How often it is read again while it is being imported, in milliseconds. */
const POLL_MS = 3_000;

type Statement = NonNullable<StatementDetailQuery['statement']>;

/** One statement: its file, its lines with what explains them, other files of its days, and what was done. */
export function StatementPage() {
  const { country, fileNo } = route.useParams();
  const subject = `statement ${fileNo}`;
  const one = useDetail(
    StatementDetailDocument,
    { country: country as Country, fileNo: Number(fileNo), tenant: tenantOf(country), subject },
    ({ statement }) => statement,
    country in countryNames && /^[1-9]\d{0,8}$/.test(fileNo),
  );
  const { refresh, found } = one;
  usePoll(refresh, found?.state === 'RECEIVED' || found?.state === 'UPLOADING' ? POLL_MS : null);
  return (
    <DetailPage
      title={`Statement ${fileNo}`}
      one={one}
      missing={['There is no such statement', 'You may also not be allowed to see its country.']}
      show={(statement, data) => ({
        title: statement.name,
        heading: (
          <Heading kind="Statement" title={statement.name}>
            <Status word={statementStateWords[statement.state]} />
            <span className="soft">no. {fileNo}</span>
          </Heading>
        ),
        actions: <StatementActions statement={statement} onDone={refresh} />,
        body: (
          <>
            {statement.state === 'REFUSED' && (
              <Notice tone="bad">
                None of its lines counts. {asSentence(statement.refusal ?? 'no reason is known')}
              </Notice>
            )}
            <StatementFacts statement={statement} />
            <StatementContent statement={statement} />
            <Columns
              main={<StatementVersions statement={statement} />}
              side={<ReconciliationHistory records={data.auditLog} subject={subject} />}
            />
          </>
        ),
      })}
    />
  );
}

function StatementActions({ statement, onDone }: { statement: Statement; onDone: () => void }) {
  const { operatorId } = useMe();
  const { channelId, fetchedDay, sha256, state, uploadedBy, importedBy, confirmedBy } = statement;
  if (channelId === null) return null;
  if (fetchedDay)
    return <ActionButton action={fetchAgain({ ...statement, channelId, day: fetchedDay })} onDone={onDone} />;
  const isOwn = [uploadedBy, ...importedBy].includes(operatorId);
  const isToConfirm = state === 'IMPORTED' && confirmedBy === null && sha256 !== null && !isOwn;
  return isToConfirm && <ActionButton action={confirmStatement({ ...statement, sha256 })} onDone={onDone} />;
}

function StatementFacts({ statement }: { statement: Statement }) {
  const {
    country,
    channelId,
    currency,
    format,
    formatVersion,
    profileVersion,
    sha256,
    fetchedDay,
    confirmedBy,
    contentDeletedAt,
  } = statement;
  const money = (amount: string | null) => amount && <Money amount={amount} currency={currency} />;
  return (
    <Panel title="File">
      <Facts
        values={{
          Channel: channelId && <ScreenLink to={`/channels/${channelId}`}>{channelId}</ScreenLink>,
          Country: countryNames[country],
          Days: <CoveredDays row={statement} />,
          Lines: <ReadRows row={statement} />,
          In: money(statement.totalIn),
          Out: money(statement.totalOut),
          'Opening balance': money(statement.opening),
          'Closing balance': money(statement.closing),
          Format: format && `${format}, version ${profileVersion ?? formatVersion}`,
          Size: sizeOf(statement.sizeBytes),
          'SHA-256': sha256 && <Copyable text={sha256} what="SHA-256" />,
          'Fetched for': fetchedDay && showDay(fetchedDay, 'dayMonthYear'),
          'Uploaded by': statement.uploadedBy,
          Uploaded: <Time at={statement.uploadedAt} />,
          'Confirmed by': confirmedBy,
          Imported: statement.importedAt && <Time at={statement.importedAt} />,
          'File deleted': contentDeletedAt && <Time at={contentDeletedAt} />,
        }}
      />
    </Panel>
  );
}
