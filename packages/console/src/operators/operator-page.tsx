import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { ActionButton, ActionMenu } from '../actions/action-button.tsx';
import { roleWords } from '../format/words.ts';
import { OperatorDetailDocument, type OperatorDetailQuery } from '../generated/documents.generated.ts';
import { Copyable } from '../parts/copyable.tsx';
import { type LineColumn, Lines } from '../parts/lines.tsx';
import { Failure } from '../parts/notice.tsx';
import { Empty, Facts, Page, Panel } from '../parts/page.tsx';
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
  const [{ data, error, fetching }, read] = useQuery({ query: OperatorDetailDocument, variables: { operatorId } });
  const refresh = () => read({ requestPolicy: 'network-only' });
  const operator = data?.operator?.operatorId === operatorId ? data.operator : null;
  if (!operator)
    return (
      <Page title={`Operator ${operatorId}`}>
        {error && <Failure error={error} retry={refresh} />}
        {!error && (
          <Panel>{fetching ? <p className="soft">Loading …</p> : <Empty title="There is no such operator" />}</Panel>
        )}
      </Page>
    );
  const tokens = operator.tokens.edges.map(({ node }) => node);
  return (
    <Page title={operator.name} actions={<ActionMenu actions={operatorActions(operator)} onDone={refresh} />}>
      {error && <Failure error={error} retry={refresh} />}
      <Panel
        title="Operator"
        side={
          <ScreenLink to="/audit" search={{ actor: operatorId }}>
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
    </Page>
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
