import { getRouteApi } from '@tanstack/react-router';
import { ActionButton, ActionMenu } from '../actions/action-button.tsx';
import { blockedAsAllowed } from '../actions/allowed.tsx';
import { WaitingApprovals } from '../approvals/waiting-approvals.tsx';
import { roleWords } from '../format/words.ts';
import { OperatorDetailDocument, type OperatorDetailQuery } from '../generated/documents.generated.ts';
import { useApprovalNews } from '../graphql/approval-news.ts';
import { useSoon } from '../graphql/use-soon.ts';
import { Copyable } from '../parts/copyable.tsx';
import { DetailPage, useDetail } from '../parts/detail-page.tsx';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Empty, Facts, Panel } from '../parts/page.tsx';
import { ScreenLink } from '../parts/screen-link.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { operatorActions, revokeToken } from './operator-actions.tsx';
import { enabledWord, restrictionOf } from './operator-words.ts';

const route = getRouteApi('/shell/operators/$operatorId');
type Operator = NonNullable<OperatorDetailQuery['operator']>;
type Token = Operator['tokens']['edges'][number]['node'];

/** One operator: roles, restrictions, tokens and their last use. */
export function OperatorPage() {
  const { operatorId } = route.useParams();
  const one = useDetail(OperatorDetailDocument, { operatorId }, ({ operator }) =>
    operator?.operatorId === operatorId ? operator : null,
  );
  const { refresh } = one;
  useApprovalNews(useSoon(refresh));
  return (
    <DetailPage
      title={`Operator ${operatorId}`}
      one={one}
      missing={['There is no such operator']}
      show={(operator, { approvals }) => ({
        title: operator.name,
        actions: (
          <ActionMenu actions={blockedAsAllowed(operatorActions(operator), operator.actions)} onDone={refresh} />
        ),
        body: (
          <>
            <WaitingApprovals approvals={approvals} />
            <Detail operator={operator} refresh={refresh} />
          </>
        ),
      })}
    />
  );
}

function Detail({ operator, refresh }: { operator: Operator; refresh(): void }) {
  const tokens = operator.tokens.edges.map(({ node }) => node);
  return (
    <>
      <Panel
        title="Operator"
        side={
          <ScreenLink to="/audit" search={{ actor: operator.operatorId }}>
            What this operator did
          </ScreenLink>
        }
      >
        <Facts
          values={{
            Id: <Copyable text={operator.operatorId} what="operator id" />,
            State: <Status word={enabledWord(operator.enabled)} />,
            Roles: operator.roles.map((role) => roleWords[role] ?? role).join(', '),
            Sees: restrictionOf(operator),
            'Identity provider': operator.identity,
            Created: <Time at={operator.createdAt} />,
          }}
        />
      </Panel>
      <Panel title="Tokens" isFlush>
        {tokens.length === 0 ? (
          <Empty title="No token yet">Invite the operator. They exchange their code for a token.</Empty>
        ) : (
          <Lines
            label="Tokens"
            columns={tokenColumns(operator, refresh)}
            rows={tokens}
            rowKey={({ tokenId }) => tokenId}
          />
        )}
      </Panel>
    </>
  );
}

function isActive({ revokedAt, expiresAt }: Token): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function tokenColumns(operator: Operator, onDone: () => void): LineColumn<Token>[] {
  return [
    { title: 'Token', cell: ({ tokenId }) => <span className="mono">{tokenId}</span> },
    { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'never') },
    {
      title: 'Ends',
      cell: ({ revokedAt, expiresAt }) =>
        revokedAt ? (
          <>
            revoked <Time at={revokedAt} />
          </>
        ) : expiresAt ? (
          <Time at={expiresAt} />
        ) : (
          'when it is revoked'
        ),
    },
    {
      title: '',
      cell: (token) =>
        isActive(token) && (
          <ActionButton action={revokeToken(operator, token.tokenId)} onDone={onDone} size="compact-xs" />
        ),
    },
  ];
}
