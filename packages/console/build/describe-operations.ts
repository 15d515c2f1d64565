import { type DocumentNode, type InputValueDefinitionNode, Kind, type TypeNode } from 'graphql';

/** TypeScript with what the schema says about each mutation: who may run it, what it does, and what its fields mean. */
export function describeOperations(schema: DocumentNode): string {
  const mutations = schema.definitions
    .filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION)
    .find(({ name }) => name.value === 'Mutation');
  const entries = (mutations?.fields ?? []).map(({ name, description, arguments: args = [] }) => {
    const { summary, roles } = readDescription(description?.value ?? '');
    const input = args.find((argument) => argument.name.value === 'input');
    const described = {
      summary,
      roles,
      takesReason: args.some((argument) => argument.name.value === 'reason'),
      fields: input ? fieldsOf(schema, namedType(input.type)) : {},
    };
    return `  ${name.value}: ${JSON.stringify(described)},`;
  });
  return [
    '/** What the schema of the API says about each mutation. */',
    'export const operations = {',
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

/** A description ends with the roles, as in `Cancel an order. Roles: operator.`; without them every role may try. */
function readDescription(text: string): { summary: string; roles: string[] } {
  const whole = text.trim();
  const at = whole.lastIndexOf('Roles: ');
  const roles = at === -1 ? undefined : /^Roles: ([a-z, ]+)\.$/.exec(whole.slice(at))?.[1];
  if (roles === undefined) return { summary: whole, roles: [] };
  const summary = whole.slice(0, at).trimEnd();
  return { summary, roles: roles.split(', ').map((role) => role.toUpperCase()) };
}

interface FieldDescription {
  help: string;
  isRequired: boolean;
  /** People type an amount. */
  isAmount?: true;
}

function fieldsOf(schema: DocumentNode, type: string): Record<string, FieldDescription> {
  const input = schema.definitions
    .filter((node) => node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    .find(({ name }) => name.value === type);
  return Object.fromEntries((input?.fields ?? []).map((field) => [field.name.value, describeField(field)]));
}

function describeField({ description, type, defaultValue }: InputValueDefinitionNode): FieldDescription {
  // People leave a field empty; only programs send null.
  const help = (description?.value ?? '').replace(/\bNull: /, 'Empty: ');
  const isRequired = type.kind === Kind.NON_NULL_TYPE && !defaultValue;
  return { help, isRequired, ...(namedType(type) === 'Decimal' && { isAmount: true as const }) };
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
