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
  const found = /^([\s\S]*?)\s*Roles: ([a-z, ]+)\.$/.exec(text.trim());
  if (!found) return { summary: text.trim(), roles: [] };
  const [, summary = '', roles = ''] = found;
  return { summary, roles: roles.split(', ').map((role) => role.toUpperCase()) };
}

function fieldsOf(schema: DocumentNode, type: string): Record<string, { help: string; isRequired: boolean }> {
  const input = schema.definitions
    .filter((node) => node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    .find(({ name }) => name.value === type);
  return Object.fromEntries((input?.fields ?? []).map((field) => [field.name.value, describeField(field)]));
}

function describeField({ description, type, defaultValue }: InputValueDefinitionNode) {
  // People leave a field empty; only programs send null.
  const help = (description?.value ?? '').replace(/\bNull: /, 'Empty: ');
  return { help, isRequired: type.kind === Kind.NON_NULL_TYPE && !defaultValue };
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
