import { type Action, defineAction } from '../actions/action.ts';
import { Before } from '../actions/action-dialog.tsx';
import { roleWords } from '../format/words.ts';
import {
  ChangeOperatorDocument,
  type Country,
  CreateOperatorDocument,
  DisableOperatorDocument,
  EnableOperatorDocument,
  InviteOperatorDocument,
  type OperatorDetailPartsFragment,
  type OperatorRowFragment,
  RevokeOperatorTokensDocument,
  type Role,
} from '../generated/documents.generated.ts';
import { restrictionOf } from './operator-words.ts';

/** What can be done with an operator. */
export function operatorActions(operator: OperatorDetailPartsFragment): Action[] {
  return [
    invite(operator),
    change(operator),
    revokeAll(operator),
    operator.enabled ? disable(operator) : enable(operator),
  ];
}

const whatItIs = (operator: OperatorRowFragment) => (
  <Before
    values={{
      Operator: `${operator.name} (${operator.operatorId})`,
      Roles: operator.roles.map((role) => roleWords[role] ?? role).join(', '),
      Sees: restrictionOf(operator),
    }}
  />
);

const words = (text: string | undefined) => (text ?? '').split(/[\s,;]+/).filter((one) => one !== '');
const upper = (text: string | undefined) => words(text).map((one) => one.toUpperCase());
const accessFields = (operator?: OperatorRowFragment) => [
  {
    name: 'roles',
    label: 'Roles',
    initial: operator?.roles.join(', ').toLowerCase() ?? '',
    placeholder: 'support, finance',
  },
  { name: 'countries', label: 'Only merchants of these countries', initial: operator?.countries?.join(', ') ?? '' },
  { name: 'merchantIds', label: 'Only these merchants', initial: operator?.merchantIds?.join(', ') ?? '' },
];

/** Creates an operator, who signs in after an invitation. */
export function createOperator(): Action {
  return defineAction({
    operation: 'createOperator',
    document: CreateOperatorDocument,
    label: 'New operator',
    subject: 'operator',
    before: null,
    fields: [
      { name: 'operatorId', label: 'Id', placeholder: 'alice' },
      { name: 'name', label: 'Name', placeholder: 'Alice Wong' },
      ...accessFields(),
    ],
    toInput: ({ operatorId = '', name = '', roles, countries, merchantIds }) => ({
      operatorId,
      name,
      roles: upper(roles) as Role[],
      ...(countries && { countries: upper(countries) as Country[] }),
      ...(merchantIds && { merchantIds: upper(merchantIds) }),
    }),
    after: () => 'The operator exists. Invite them next.',
  });
}

function change(operator: OperatorDetailPartsFragment): Action {
  const { operatorId, name } = operator;
  return defineAction({
    operation: 'changeOperator',
    document: ChangeOperatorDocument,
    label: 'Change name, roles, restrictions',
    subject: operatorId,
    before: whatItIs(operator),
    expectedVersion: operator.version,
    fields: [{ name: 'name', label: 'Name', initial: name }, ...accessFields(operator)],
    toInput: (values) => ({
      operatorId,
      ...(values.name !== name && { name: values.name ?? '' }),
      ...(values.roles !== operator.roles.join(', ').toLowerCase() && { roles: upper(values.roles) as Role[] }),
      ...(values.countries !== (operator.countries?.join(', ') ?? '') && {
        countries: values.countries ? (upper(values.countries) as Country[]) : null,
      }),
      ...(values.merchantIds !== (operator.merchantIds?.join(', ') ?? '') && {
        merchantIds: values.merchantIds ? upper(values.merchantIds) : null,
      }),
    }),
    after: () => 'The operator is changed.',
  });
}

function invite(operator: OperatorDetailPartsFragment): Action {
  return defineAction({
    operation: 'inviteOperator',
    document: InviteOperatorDocument,
    label: 'Invite',
    subject: operator.operatorId,
    before: whatItIs(operator),
    fields: [{ name: 'fingerprint', label: 'Fingerprint of their code, compared by phone or in person' }],
    toInput: ({ fingerprint = '' }) => ({ operatorId: operator.operatorId, fingerprint: fingerprint.trim() }),
    after: () => 'The operator can exchange their code for a token within 72 hours.',
  });
}

function disable(operator: OperatorDetailPartsFragment): Action {
  return defineAction({
    operation: 'disableOperator',
    document: DisableOperatorDocument,
    label: 'Disable',
    isDangerous: true,
    subject: operator.operatorId,
    before: whatItIs(operator),
    expectedVersion: operator.version,
    toInput: () => ({ operatorId: operator.operatorId }),
    after: () => 'The operator is disabled. Open pages end within five seconds.',
  });
}

function enable(operator: OperatorDetailPartsFragment): Action {
  return defineAction({
    operation: 'enableOperator',
    document: EnableOperatorDocument,
    label: 'Enable',
    subject: operator.operatorId,
    before: whatItIs(operator),
    expectedVersion: operator.version,
    toInput: () => ({ operatorId: operator.operatorId }),
    after: () => 'The operator may sign in again.',
  });
}

function revokeAll(operator: OperatorDetailPartsFragment): Action {
  return defineAction({
    operation: 'revokeOperatorTokens',
    document: RevokeOperatorTokensDocument,
    label: 'Revoke all tokens',
    isDangerous: true,
    subject: operator.operatorId,
    before: whatItIs(operator),
    toInput: () => ({ operatorId: operator.operatorId }),
    after: ({ tokenIds }) => `Revoked: ${tokenIds.length}. The token in use stays valid.`,
  });
}

/** Revokes one token. */
export function revokeToken(operator: OperatorDetailPartsFragment, tokenId: string): Action {
  return defineAction({
    operation: 'revokeOperatorTokens',
    document: RevokeOperatorTokensDocument,
    label: 'Revoke',
    isDangerous: true,
    subject: operator.operatorId,
    before: <Before values={{ Operator: operator.name, Token: tokenId }} />,
    toInput: () => ({ operatorId: operator.operatorId, tokenId }),
    after: () => 'The token is revoked.',
  });
}
