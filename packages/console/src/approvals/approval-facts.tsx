import { Fragment } from 'react';
import type { ApprovalDetailPartsFragment } from '../generated/documents.generated.ts';
import { TimeLeft } from '../parts/age.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Time } from '../parts/time.tsx';

/** Who asked, why and until when; what it is about; who decided. */
export function ApprovalFacts({ approval }: { approval: ApprovalDetailPartsFragment }) {
  const { approvalId, subject, alsoSubjects, merchantId, requestedBy, requestedAt, reason, state } = approval;
  const { expiresAt, decidedBy, decidedAt } = approval;
  return (
    <Panel title="Request">
      <Facts
        values={{
          Reason: reason,
          'Asked by': requestedBy,
          Asked: <Time at={requestedAt} />,
          [state === 'PENDING' ? 'Waits until' : 'Could be decided until']: (
            <>
              <Time at={expiresAt} />
              {state === 'PENDING' && (
                <span className="soft">
                  {' '}
                  (<TimeLeft until={expiresAt} />)
                </span>
              )}
            </>
          ),
          About: [subject, ...alsoSubjects].map((object, i) => (
            <Fragment key={object}>
              {i > 0 && ', '}
              <Subject of={object} merchantId={merchantId} />
            </Fragment>
          )),
          Merchant:
            merchantId === 'PLATFORM' ? (
              'None: the platform'
            ) : (
              <ScreenLink to={`/merchants/${merchantId}`}>
                <span className="mono">{merchantId}</span>
              </ScreenLink>
            ),
          [state === 'WITHDRAWN' ? 'Withdrawn by' : 'Decided by']: decidedBy,
          Decided: decidedAt && <Time at={decidedAt} />,
          Approval: <Copyable text={approvalId} what="approval id" />,
        }}
      />
      <p>
        <ScreenLink to="/audit" search={{ subject: approvalId }}>
          See the audit records
        </ScreenLink>
      </p>
    </Panel>
  );
}

function Subject({ of, merchantId }: { of: string; merchantId: string }) {
  const link = linkOf(of, merchantId);
  return link === null ? of : <ScreenLink to={link}>{of}</ScreenLink>;
}

/** The screen of an approval's subject; null where there is none. */
function linkOf(subject: string, merchantId: string): string | null {
  if (/^P[IO][0-9A-Z]{10,}$/.test(subject)) return `/orders/${subject}`;
  const caseNo = /^case (\d+)$/.exec(subject)?.[1];
  if (caseNo !== undefined) return `/cases/${merchantId}/${caseNo}`;
  if (/^ST[0-9A-Z]{4,33}$/.test(subject)) return `/settlements/${merchantId}/${subject}`;
  if (subject === 'settlement cycle') return `/settlements/cycles/${merchantId}`;
  const country = /^PLATFORM-([A-Z]{2})$/.exec(merchantId)?.[1];
  const breakNo = /^break (\d+)$/.exec(subject)?.[1];
  const [, channelId, day] = /^day (\S+) (\d{4}-\d\d-\d\d)$/.exec(subject) ?? [];
  if (country !== undefined && breakNo !== undefined) return `/reconciliation/breaks/${country}/${breakNo}`;
  return country !== undefined && day !== undefined ? `/reconciliation/days/${country}/${channelId}/${day}` : null;
}
