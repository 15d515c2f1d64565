import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
  validate,
} from 'graphql';

// The types of the printed schema, which another test compares with the real one.
const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));

/** Whether the payload of this name can be a pending approval. */
export function waitsForApproval(payloadName: string): boolean {
  const payload = schema.getType(payloadName);
  return isObjectType(payload) && 'approval' in payload.getFields();
}

/** Why the schema does not allow this document; empty when it does. */
export function problemsOf(text: string): string[] {
  return validate(schema, parse(text)).map(({ message }) => message);
}

/**
 * For each query field, except `node` and `nodes`: a document with everything that needs no arguments, several levels
 * deep.
 */
export function documents(args: Record<string, string>): string[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ name }) => !/^nodes?$/.test(name));
  return fields.map((field) => {
    const isPaged = field.args.some(({ name }) => name === 'first');
    const given = args[field.name] ?? (isPaged ? '(first: 2)' : '');
    if (field.args.some(isRequiredArgument) && given === '') throw new Error(`${field.name} needs arguments`);
    return `{ ${field.name}${given} ${selectionOf(getNamedType(field.type), isPaged ? 5 : 3)} }`;
  });
}

function selectionOf(type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return '';
  if (!isAbstractType(type)) return `{ ${fieldsOf(type, depth)} }`;
  const each = schema.getPossibleTypes(type);
  const parts = each.map((one) => {
    // Two fields with the same name in a document must have the same type, so the others get an alias.
    const differs = (name: string) =>
      each.some((other) => {
        const field = other.getFields()[name];
        return field !== undefined && String(field.type) !== String(one.getFields()[name]?.type);
      });
    return `... on ${one.name} { ${fieldsOf(one, depth, (name) => (differs(name) ? `${one.name}_${name}: ` : ''))} }`;
  });
  return `{ ${parts.join(' ')} }`;
}

function fieldsOf(type: GraphQLNamedType, depth: number, alias: (name: string) => string = () => ''): string {
  if (!isObjectType(type)) return '__typename';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some(isRequiredArgument)) return [];
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return [`${alias(field.name)}${field.name}`];
    if (depth <= 1) return [];
    const page = field.args.some(({ name }) => name === 'first') ? '(first: 2)' : '';
    return [`${alias(field.name)}${field.name}${page} ${selectionOf(inner, depth - 1)}`];
  });
  return ['__typename', ...fields].join(' ');
}
