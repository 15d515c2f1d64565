import {
  type Approval,
  inputFields,
  type OperationName,
  type OperationValue,
  operations,
  type Requested,
  requestOperation,
} from '@tidegate/domain/operators';
import { type Answer, done, type Row, refused } from '../line/answer.ts';
import type { AdminCommand, Context } from '../line/command.ts';
import { approvalRow } from '../line/views.ts';
import { isFromFile, operationFields, type Wording } from './operation-fields.ts';
import { rejected } from './rejections.ts';

interface Change<N extends OperationName> extends Wording {
  /** Verb and noun, as typed. */
  name: string;
  group: AdminCommand['group'];
  /** The message that is printed after success. */
  successMessage(value: OperationValue<N>): string;
  show(value: OperationValue<N>): Row;
}

/**
 * The command of one operation. The domain's table defines its input, its roles and when it needs a second operator.
 */
export function change<N extends OperationName>(operation: N, definition: Change<N>): AdminCommand {
  const { name, group, successMessage, show } = definition;
  const { summary, roles } = operations[operation];
  const fields = operationFields(operation, definition);
  const flagOf = (path: string): string => {
    const [first = '', ...rest] = path.split('.');
    return [fields[first]?.flags.replace(/ <.*/, '') ?? first, ...rest].join(': ');
  };
  return {
    name,
    group,
    kind: 'change',
    roles,
    fields,
    summary: `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`.replace(/\.$/, ''),
    async run(context: Context, values: Record<string, unknown>): Promise<Answer> {
      const { domain, operator, approver, reason } = context;
      const input = await inputOf(operation, definition, context, values);
      if (typeof input === 'string') return refused(input);
      const about = definition.places.map((place) => String(values[place])).join(' ');
      const result: Requested<OperationValue<N>> = await requestOperation(
        ...([domain, operator, operation, input, reason, { approver: approver ?? undefined }] as const),
      );
      if (!result.ok) return rejected(about, result, flagOf);
      if (result.state === 'executed') return done(successMessage(result.value), show(result.value));
      return pending(result.approval);
    },
  };
}

/** The answer for an operation that waits for its second operator. */
export function pending(approval: Approval): Answer {
  const message = `It waits for a second operator: approve ${approval.approvalId}. Nothing was done yet.`;
  return { ok: true, message, result: approvalRow(approval), ended: 'pending' };
}

/** The input of the operation, or why a file cannot be used, without its content. */
async function inputOf(
  operation: OperationName,
  wording: Wording,
  { readInput }: Context,
  values: Record<string, unknown>,
): Promise<Record<string, unknown> | string> {
  const input: Record<string, unknown> = {};
  for (const field of inputFields(operations[operation].input)) {
    const value = values[field.name];
    if (value === undefined) continue;
    if (!isFromFile(field, wording)) input[field.name] = value;
    else {
      const text = await readInput(String(value));
      const read = field.form === 'secrets' ? readJson(text) : text;
      if (read === undefined) return `${value} does not hold a JSON object of texts, such as {"secret": "…"}`;
      input[field.name] = read;
    }
  }
  return input;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would contain parts of the file.
    return undefined;
  }
}
