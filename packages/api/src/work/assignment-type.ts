import { loadAssignments } from '@tidegate/domain/lists';
import {
  type AssignableItem,
  type Assignment,
  assignWork,
  isAssignable,
  type OperatorContext,
  type Refused,
  releaseWork,
  takeWork,
  workRoles,
} from '@tidegate/domain/operators';
import { CaseType } from '../case/case-type.ts';
import { refusal } from '../errors/errors.ts';
import { builder } from '../graphql/builder.ts';
import { type ApiContext, operatorOf } from '../graphql/context.ts';
import { keyOf, loaded, partsOf } from '../graphql/loaded.ts';
import { scopeOf } from '../graphql/paging.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { OrderInterface } from '../order/order-type.ts';
import { BreakType, breakRefOf } from '../reconciliation/break-type.ts';
import { workItemOf } from './work-item.ts';

const AssignmentType = builder.objectRef<Assignment>('Assignment').implement({
  description: 'Who works on an order or a case. It only informs: others may still decide.',
  fields: (t) => ({
    assignee: t.exposeString('assignee', { description: 'Id of the operator who has it.' }),
    assignedBy: t.exposeString('assignedBy', { description: 'Id of the operator who took or assigned it.' }),
    assignedAt: t.expose('assignedAt', { type: 'DateTime', description: 'Time at which the operator took it.' }),
  }),
});

const assignment = {
  type: AssignmentType,
  nullable: true,
  description: 'Who works on it. Null: it is not assigned. It only informs: others may still decide.',
} as const;

builder.interfaceField(OrderInterface, 'assignment', (t) =>
  t.loadable({
    ...assignment,
    load: async (keys: string[], context: ApiContext) =>
      loaded(await loadAssignments(context.domain, scopeOf(context), keys.map(orderOf))),
    resolve: ({ merchantId, orderNo }) => keyOf(merchantId, orderNo),
  }),
);
builder.objectField(CaseType, 'assignment', (t) =>
  t.loadable({
    ...assignment,
    load: async (keys: string[], context: ApiContext) =>
      loaded(await loadAssignments(context.domain, scopeOf(context), keys.map(caseOf))),
    resolve: ({ merchantId, caseNo }) => keyOf(merchantId, caseNo),
  }),
);

builder.objectField(BreakType, 'assignment', (t) =>
  t.loadable({
    ...assignment,
    load: async (keys: string[], context: ApiContext) =>
      loaded(await loadAssignments(context.domain, scopeOf(context), keys.map(breakOf))),
    resolve: ({ merchantId, breakNo }) => keyOf(merchantId, breakNo),
  }),
);

function breakOf(key: string): AssignableItem {
  return { type: 'break', ...breakRefOf(key) };
}

function orderOf(key: string): AssignableItem {
  const [merchantId, orderNo] = partsOf(key);
  return { type: 'order', merchantId, orderNo };
}

function caseOf(key: string): AssignableItem {
  const [merchantId, caseNo] = partsOf(key);
  return { type: 'case', merchantId, caseNo: Number(caseNo) };
}

/** What a mutation of an assignment gives: the item, read again. */
interface Worked {
  item: AssignableItem;
  assignment: Assignment | null;
}

const WorkPayload = builder.objectRef<Worked>('WorkPayload').implement({
  description: 'Result of takeWork, releaseWork or assignWork.',
  fields: (t) => ({
    assignment: t.field({ ...assignment, resolve: (worked) => worked.assignment }),
  }),
});

type Apply = (
  domain: ApiContext['domain'],
  operator: OperatorContext,
  item: AssignableItem,
) => Promise<{ ok: true; value: Assignment | null } | Refused>;

async function work(context: ApiContext, on: { typename: string; id: string }, apply: Apply): Promise<Worked> {
  const item = workItemOf(on);
  if (!isAssignable(item)) throw refusal('BAD_USER_INPUT', 'on must be the id of an order, a case or a break');
  const done = await apply(context.domain, operatorOf(context), item);
  if (!done.ok) throw problemOf(done);
  return { item, assignment: done.value };
}

const errorsOf = (name: string) => ({
  types: problemTypes,
  directResult: true,
  union: { name: `${name}Result`, description: 'Who has it now, or the reason for the refusal.' },
});
const on = { required: true, description: 'Global id of the order or the case.' } as const;
const rest = `It informs other operators and blocks none of them. Roles: ${workRoles.join(', ')}.`;

builder.mutationField('takeWork', (t) =>
  t.field({
    type: WorkPayload,
    description: `Take an order or a case that is not assigned. If an operator has it, the problem says who. ${rest}`,
    authScopes: { roles: workRoles },
    args: { on: t.arg.globalID(on) },
    errors: errorsOf('TakeWork'),
    resolve: (_root, args, context) => work(context, args.on, takeWork),
  }),
);
builder.mutationField('releaseWork', (t) =>
  t.field({
    type: WorkPayload,
    description: `Release an order or a case that you have. Admins can release it for others. ${rest}`,
    authScopes: { roles: workRoles },
    args: { on: t.arg.globalID(on) },
    errors: errorsOf('ReleaseWork'),
    resolve: (_root, args, context) => work(context, args.on, releaseWork),
  }),
);
builder.mutationField('assignWork', (t) =>
  t.field({
    type: WorkPayload,
    description: `Assign an order or a case to an operator, even if another operator has it. ${rest}`,
    authScopes: { roles: workRoles },
    args: {
      on: t.arg.globalID(on),
      to: t.arg.string({ required: true, description: 'Id of an operator who may sign in and see it.' }),
    },
    errors: errorsOf('AssignWork'),
    resolve: (_root, args, context) =>
      work(context, args.on, (domain, operator, item) => assignWork(domain, operator, item, args.to)),
  }),
);
