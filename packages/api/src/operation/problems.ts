import {
  type FieldProblem as DomainFieldProblem,
  type OperatorRejection,
  type Refused,
  rejections,
} from '@tidegate/domain/operators';
import { builder } from '../builder.ts';

/** Why an operation was not done, as a type of the schema. */
export class Problem extends Error {
  readonly reason: OperatorRejection;

  constructor({ rejection, detail }: Omit<Refused, 'ok'>) {
    const [, text] = rejections[rejection];
    super(detail === undefined ? text : `${text}: ${detail}`);
    this.reason = rejection;
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

/** Every error type that a mutation can give. */
export const problemTypes = Object.values(classes);

/** The error type that reports a refusal. */
export function problemOf(refused: Omit<Refused, 'ok'>): Problem {
  return new classes[rejections[refused.rejection][0]](refused);
}

const Reason = builder.enumType('ProblemReason', {
  description: 'Exactly why something was not done.',
  values: Object.fromEntries(
    Object.entries(rejections).map(([reason, [, description]]) => [
      reason.toUpperCase(),
      { value: reason as OperatorRejection, description },
    ]),
  ),
});

const ProblemInterface = builder.interfaceRef<Problem>('Problem').implement({
  description: 'Why a mutation was not done. Nothing was changed.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'For people: what was wrong, and where.' }),
    reason: t.field({ type: Reason, description: 'For programs.', resolve: ({ reason }) => reason }),
  }),
});

const FieldProblem = builder.objectRef<DomainFieldProblem>('FieldProblem').implement({
  description: 'One field of an input that is not right.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The field, by its dotted path.' }),
    reason: t.exposeString('reason', { description: 'What is wrong with it.' }),
  }),
});

builder.objectType(InvalidInput, {
  name: 'InvalidInput',
  description: 'The input is not right; every bad field is named.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof InvalidInput,
  fields: (t) => ({
    fields: t.field({ type: [FieldProblem], description: 'Each bad field.', resolve: ({ fields }) => fields }),
  }),
});
builder.objectType(NotFound, {
  name: 'NotFound',
  description: 'What it is about is not there, or not yours to see.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof NotFound,
});
builder.objectType(NotAllowed, {
  name: 'NotAllowed',
  description: 'Somebody else may, but not you.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof NotAllowed,
});
builder.objectType(Conflict, {
  name: 'Conflict',
  description: 'As things stand now it cannot be done.',
  interfaces: [ProblemInterface],
  isTypeOf: (value) => value instanceof Conflict,
});
