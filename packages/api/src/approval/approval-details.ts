import {
  type AskedField,
  type ForeseenChange,
  type Refused,
  type TypedValue,
  temporary,
} from '@tidegate/domain/operators';
import { CurrencyEnum } from '../enums/enums.ts';
import { builder } from '../graphql/builder.ts';
import { ProblemReasonEnum, problemOf } from '../operation/problems.ts';

// The subject of an approval, as values that a screen can show without parsing them.

type Value<Type extends TypedValue['type']> = Extract<TypedValue, { type: Type }>;

const TextValue = builder.objectRef<Value<'text'>>('TextValue').implement({
  description: 'A text, or one of several choices.',
  fields: (t) => ({ text: t.exposeString('text', { description: 'The text.' }) }),
});
export const MoneyValue = builder.objectRef<Value<'money'>>('MoneyValue').implement({
  description: 'An amount of money.',
  fields: (t) => ({
    amount: t.expose('amount', { type: 'Decimal', description: 'The amount, in `currency`.' }),
    currency: t.expose('currency', { type: CurrencyEnum, description: 'Currency of the amount.' }),
  }),
});
const PercentValue = builder.objectRef<Value<'percent'>>('PercentValue').implement({
  description: 'A percentage.',
  fields: (t) => ({ percent: t.expose('percent', { type: 'Percentage', description: 'The percentage.' }) }),
});
const TimeValue = builder.objectRef<Value<'time'>>('TimeValue').implement({
  description: 'A time.',
  fields: (t) => ({ time: t.expose('time', { type: 'DateTime', description: 'The time.' }) }),
});
const NumberValue = builder.objectRef<Value<'number'>>('NumberValue').implement({
  description: 'A whole number.',
  fields: (t) => ({ number: t.exposeInt('number', { description: 'The number.' }) }),
});
const SwitchValue = builder.objectRef<Value<'switch'>>('SwitchValue').implement({
  description: 'Yes or no.',
  fields: (t) => ({ isOn: t.exposeBoolean('isOn', { description: 'Yes or no.' }) }),
});
const ListValue = builder.objectRef<Value<'list'>>('ListValue').implement({
  description: 'Several texts.',
  fields: (t) => ({ items: t.exposeStringList('items', { description: 'The texts.' }) }),
});
const SecretValue = builder.objectRef<Value<'secret'>>('SecretValue').implement({
  description: 'Secrets, by name only. Their values are never shown.',
  fields: (t) => ({ names: t.exposeStringList('names', { description: 'Names of the secrets.' }) }),
});

const typeNames: Record<TypedValue['type'], string> = {
  text: 'TextValue',
  money: 'MoneyValue',
  percent: 'PercentValue',
  time: 'TimeValue',
  number: 'NumberValue',
  switch: 'SwitchValue',
  list: 'ListValue',
  secret: 'SecretValue',
};

const TypedValueUnion = builder.unionType('TypedValue', {
  description: 'A value by its kind.',
  types: [TextValue, MoneyValue, PercentValue, TimeValue, NumberValue, SwitchValue, ListValue, SecretValue],
  resolveType: ({ type }) => typeNames[type],
});

export const ApprovalFieldType = builder.objectRef<AskedField>('ApprovalField').implement({
  description: 'One field of a request.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Name of the field, for programs.' }),
    label: t.exposeString('label', { description: 'Name of the field, for people.' }),
    value: t.expose('value', { type: TypedValueUnion, nullable: true, description: 'Requested value. Null: removed.' }),
  }),
});

export const ApprovalChangeType = builder.objectRef<ForeseenChange>('ApprovalChange').implement({
  description: 'One change that approving a request would make.',
  fields: (t) => ({
    of: t.exposeString('of', {
      nullable: true,
      description: 'What is changed, e.g. `order PO1`. Null: the subject of the approval.',
    }),
    field: t.exposeString('field', { description: 'Name of the field, for programs.' }),
    label: t.exposeString('label', { description: 'Name of the field, for people.' }),
    before: t.expose('before', { type: TypedValueUnion, nullable: true, description: 'Value now. Null: none.' }),
    after: t.expose('after', { type: TypedValueUnion, nullable: true, description: 'Value afterwards. Null: none.' }),
  }),
});

type Possible = Refused | 'possible';

export const FeasibilityType = builder.objectRef<Possible>('Feasibility').implement({
  description: 'Whether an approval could be executed now.',
  fields: (t) => ({
    possible: t.boolean({
      description: 'Whether it would be executed.',
      resolve: (found) => found === 'possible',
    }),
    reason: t.field({
      type: ProblemReasonEnum,
      nullable: true,
      description: 'Why it would be refused. Null if it is possible.',
      resolve: (found) => (found === 'possible' ? null : found.rejection),
    }),
    message: t.string({
      nullable: true,
      description: 'The same for people.',
      resolve: (found) => (found === 'possible' ? null : problemOf(found).message),
    }),
    mayPass: t.boolean({
      description: 'Whether the reason may pass by itself, e.g. too little money. The approval then stays pending.',
      resolve: (found) => found !== 'possible' && temporary.includes(found.rejection),
    }),
  }),
});

type Allowed = Refused | 'allowed';

export const PermissionType = builder.objectRef<Allowed>('Permission').implement({
  description: 'Whether you may do something.',
  fields: (t) => ({
    allowed: t.boolean({ description: 'Whether you may.', resolve: (found) => found === 'allowed' }),
    reason: t.field({
      type: ProblemReasonEnum,
      nullable: true,
      description: 'Why you may not. Null if you may.',
      resolve: (found) => (found === 'allowed' ? null : found.rejection),
    }),
    message: t.string({
      nullable: true,
      description: 'The same for people.',
      resolve: (found) => (found === 'allowed' ? null : problemOf(found).message),
    }),
  }),
});
