import type { Invitation } from '@tidegate/domain/operators';
import type { Row } from '../line/answer.ts';
import type { AdminCommand } from '../line/command.ts';
import { plainRow, timeText } from '../line/views.ts';
import { change } from './change.ts';

// Commands that change operators.

const operator = { group: 'Operators', places: ['operatorId'], show: plainRow } as const;
const invitationRow = ({ expiresAt, ...rest }: Invitation): Row => ({ ...rest, expiresAt: timeText(expiresAt) });

/** Separate from the others, because the first two operators are created in another way. */
export const createOperatorChange = change('createOperator', {
  name: 'create-operator',
  ...operator,
  successMessage: ({ operatorId }) =>
    `Operator ${operatorId} is created. Next: they make a code (make-code), and you invite-operator.`,
});

/** Commands that change operators, except the creation of one. */
export const operators: AdminCommand[] = [
  change('changeOperator', {
    name: 'change-operator',
    ...operator,
    successMessage: ({ operatorId }) => `Operator ${operatorId} is changed.`,
  }),
  change('inviteOperator', {
    name: 'invite-operator',
    ...operator,
    show: invitationRow,
    successMessage: ({ operatorId }) =>
      `Operator ${operatorId} can redeem their code with redeem-code, within 72 hours.`,
  }),
  change('revokeOperatorTokens', {
    name: 'revoke-token',
    ...operator,
    successMessage: ({ operatorId, tokenIds }) => `Tokens of ${operatorId} that were revoked: ${tokenIds.length}.`,
  }),
  change('disableOperator', {
    name: 'disable-operator',
    ...operator,
    successMessage: ({ operatorId }) => `Operator ${operatorId} is let in no more.`,
  }),
  change('enableOperator', {
    name: 'enable-operator',
    ...operator,
    successMessage: ({ operatorId }) => `Operator ${operatorId} is let in.`,
  }),
  change('linkIdentity', {
    name: 'link-identity',
    ...operator,
    successMessage: ({ operatorId, subject }) => `${subject} is operator ${operatorId} from now on.`,
  }),
  change('unlinkIdentity', {
    name: 'unlink-identity',
    ...operator,
    successMessage: ({ operatorId }) => `Operator ${operatorId} has no identity any more.`,
  }),
];
