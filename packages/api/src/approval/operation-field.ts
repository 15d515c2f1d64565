import {
  type AnyOperation,
  type Approval,
  type OperationName,
  type OperationValue,
  operations,
  requestOperation,
} from '@tidegate/domain/operators';
import { builder } from '../graphql/builder.ts';
import { operatorOf } from '../graphql/context.ts';
import { expectedVersion, versionGiven } from '../operation/expected-version.ts';
import { inputTypeOf, withoutNulls } from '../operation/input-type.ts';
import { problemOf, problemTypes } from '../operation/problems.ts';
import { ApprovalType } from './approval-type.ts';

/** The result of a mutation: the executed operation, or the approval that waits for a second operator. */
export interface Payload<Value> {
  value: Value;
  approval: Approval | null;
}

type Fields<Value> = NonNullable<
  Parameters<ReturnType<typeof builder.objectRef<Payload<Value>>>['implement']>[0]['fields']
>;

/** Adds the mutation of an operation for one operator. `fields` are the fields of its payload. */
export function addOperation<N extends OperationName>(name: N, fields: Fields<OperationValue<N>>): void {
  if (operationNamed(name).needsSecond) throw new Error(`${name} can need a second operator: use addOperationForTwo`);
  addMutation<OperationValue<N>>(name, fields);
}

/**
 * Adds the mutation of an operation that may need a second operator. While the approval is pending, all fields except
 * `approval` are null.
 */
export function addOperationForTwo<N extends OperationName>(name: N, fields: Fields<OperationValue<N> | null>): void {
  if (!operationNamed(name).needsSecond) throw new Error(`${name} needs no second operator: use addOperation`);
  addMutation<OperationValue<N> | null>(name, (t) => ({
    ...fields(t),
    approval: t.field({
      type: ApprovalType,
      nullable: true,
      description: 'The pending approval, if another operator must approve first. Null if the operation is done.',
      resolve: ({ approval }) => approval,
    }),
  }));
}

const operationNamed = (name: OperationName): AnyOperation => operations[name];

function addMutation<Value>(name: OperationName, fields: Fields<Value>): void {
  const { input, roles, summary, versioned, creates } = operationNamed(name);
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const InputType = inputTypeOf(typeName, input);
  const PayloadType = builder.objectRef<Payload<Value>>(`${typeName}Payload`).implement({
    description: `Result of ${name}.`,
    fields,
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: PayloadType,
      description: `${summary} Roles: ${roles.join(', ')}.`,
      authScopes: { roles },
      args: {
        input: t.arg({ type: InputType, required: true, description: 'Input of the operation.' }),
        reason: t.arg.string({
          required: true,
          description: 'Reason for the audit log, 1 to 500 characters.',
        }),
        ...(versioned && { expectedVersion: t.arg.string({ description: expectedVersion(versioned, creates) }) }),
      },
      errors: {
        types: problemTypes,
        directResult: true,
        union: { name: `${typeName}Result`, description: `Result of ${name}, or the reason why it was refused.` },
      },
      resolve: async (_root, args, context): Promise<Payload<Value>> => {
        const values = withoutNulls(input, args.input);
        const options = { expectedVersion: versionGiven(args) };
        const result = await requestOperation(context.domain, operatorOf(context), name, values, args.reason, options);
        if (!result.ok) throw problemOf(result);
        return result.state === 'pending'
          ? { value: null as Value, approval: result.approval }
          : { value: result.value as Value, approval: null };
      },
    }),
  );
}
