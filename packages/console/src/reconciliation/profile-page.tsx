import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useWhyNot } from '../actions/operation.ts';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { CsvProfileDetailDocument, type CsvProfilePartsFragment } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { Lines } from '../parts/lines.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Time } from '../parts/time.tsx';
import { ProfileForm } from './profile-form.tsx';
import { usualValues, valuesOf } from './profile-values.ts';

const route = getRouteApi('/shell/reconciliation/profiles/$name');

/** The form of a profile for a bank whose files are not read yet. */
export function NewProfilePage() {
  const whyNot = useWhyNot()('setCsvProfile');
  return (
    <Page title="New CSV profile">
      {whyNot === null ? <ProfileForm first={usualValues} basedOn={0} /> : <Notice tone="bad">{whyNot}</Notice>}
    </Page>
  );
}

/** A profile: its versions, and the form for the next one. */
export function ProfilePage() {
  const { name } = route.useParams();
  const one = useDetail(CsvProfileDetailDocument, { name, format: `csv:${name}` }, ({ csvProfileVersions }) =>
    csvProfileVersions?.length ? csvProfileVersions : null,
  );
  const { refresh } = one;
  useApprovalNews(useSoon(refresh));
  return (
    <DetailPage
      title={`CSV profile ${name}`}
      one={one}
      missing={['No such profile', 'Built-in profiles are not shown here.']}
      show={(versions, { approvals }) => ({
        body: (
          <>
            <WaitingApprovals approvals={approvals} />
            <Versions versions={versions} />
          </>
        ),
      })}
    />
  );
}

/** `version`: the one that the form begins with. The next version is always based on the newest one. */
function Versions({ versions }: { versions: readonly CsvProfilePartsFragment[] }) {
  const [newest] = versions;
  const [version, setVersion] = useState(newest?.version ?? 0);
  const whyNot = useWhyNot()('setCsvProfile');
  const shown = versions.find((one) => one.version === version) ?? newest;
  return (
    <>
      <Panel title="Versions" isFlush>
        <Lines
          label="Versions"
          rows={versions}
          rowKey={(one) => one.version}
          columns={[
            { title: 'Version', cell: (one) => <span className="figures">{one.version}</span> },
            { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: 'Set by', cell: ({ createdBy }) => createdBy },
            { title: 'Approved by', cell: ({ approvedBy }) => approvedBy ?? <span className="soft">–</span> },
            {
              title: '',
              cell: (one) =>
                one.version === version ? (
                  <span className="soft">shown below</span>
                ) : (
                  <Button size="compact-xs" variant="default" onClick={() => setVersion(one.version)}>
                    Show version {one.version}
                  </Button>
                ),
            },
          ]}
        />
      </Panel>
      {shown && (
        <ProfileForm key={shown.version} first={valuesOf(shown)} basedOn={newest?.version ?? 0} whyNot={whyNot} />
      )}
    </>
  );
}
