import {
  type FieldProblem as DomainFieldProblem,
  type OperatorRejection,
  type Refused,
  rejections,
} from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';

/** The reason why an operation was not executed, as a type of the schema. */
export class Problem extends Error {
  readonly reason: OperatorRejection;
  readonly changed: Refused['changed'];

  constructor({ rejection, detail, changed }: Omit<Refused, 'ok'>) {
    const [, text] = rejections[rejection];
    super(detail === undefined ? text : `${text}: ${detail}`);
    this.reason = rejection;
    this.changed = changed;
  }
}

class InvalidInput extends Problem {
  readonly fields: DomainFieldProblem[];

  constructor(refused: Omit<Refused, 'ok'>) {
    const fields = refused.fields ?? [];
    const detail = fields.map(({ path, reason }) => `${path} ${reason}`).join('; ');
    super(detail === '' ? refused : { ...refused, detail });
    this.fields = fields;
  }
}

class NotFound extends Problem {}
class NotAllowed extends Problem {}
class Conflict extends Problem {}

const classes = { invalid: InvalidInput, not_found: NotFound, not_allowed: NotAllowed, conflict: Conflict } as const;

/** Every error type of a mutation. */
export const problemTypes = Object.values(classes);

/** The error type that reports a refusal. */
export function problemOf(refused: Omit<Refused, 'ok'>): Problem {
  return new classes[rejections[refused.rejection][0]](refused);
}

export const ProblemReasonEnum = builder.enumType('ProblemReason', {
  description: 'Exact reason why a mutation was refused.',
  values: Object.fromEntries(
    Object.entries(rejections).map(([reason, [, description]]) => [
      reason.toUpperCase(),
      { value: reason as OperatorRejection, description },
    ]),
  ),
});

const ProblemInterface = builder.interfaceRef<Problem>('Problem').implement({
  description: 'Reason why a mutation was refused. Nothing was changed.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'Message for people: what was wrong, and where.' }),
    reason: t.field({ type: ProblemReasonEnum, description: 'Code for programs.', resolve: ({ reason }) => reason }),
    changedBy: t.string({
      nullable: true,
      description: 'Who changed it last, if someone else was faster: an operator, a channel or the merchant.',
      resolve: ({ changed }) => changed?.by ?? null,
    }),
    changedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of that change.',
      resolve: ({ changed }) => changed?.at ?? null,
    }),
  }),
});

const FieldProblem = builder.objectRef<DomainFieldProblem>('FieldProblem').implement({
  description: 'One invalid field of an input.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Dotted path of the field.' }),
    reason: t.exposeString('reason', { description: 'What is wrong with the field.' }),
  }),
});

builder.objectType(InvalidInput, {
  name: 'InvalidInput',
  description: 'The input is invalid. `fields` lists every invalid field.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof InvalidInput,
  fields: (t) => ({
    fields: t.field({ type: [FieldProblem], description: 'The invalid fields.', resolve: ({ fields }) => fields }),
  }),
});
builder.objectType(NotFound, {
  name: 'NotFound',
  description: 'The object does not exist, or you may not see it.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof NotFound,
});
builder.objectType(NotAllowed, {
  name: 'NotAllowed',
  description: 'You are not allowed to do this. Another operator may.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof NotAllowed,
});
builder.objectType(Conflict, {
  name: 'Conflict',
  description: 'The operation is not possible in the current state.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof Conflict,
});
