import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';

// Prints the client's types of orders and wallets from the service's OpenAPI document. `pnpm run types` writes them to
// `typesFile`.

const openApiFile = new URL('../rest-adapter/openapi.json', import.meta.url);
export const typesFile = fileURLToPath(new URL('src/interface.generated.ts', import.meta.url));

const KINDS = ['Payin', 'Payout'] as const;
type Kind = (typeof KINDS)[number];

/** What is read of a schema in the document. */
interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  const?: string;
}
type Schemas = Record<string, Schema>;

export async function printTypes(): Promise<string> {
  const document: OpenAPI3 & { components: { schemas: Schemas } } = JSON.parse(readFileSync(openApiFile, 'utf8'));
  // The client reports failures as errors, so it needs no type for them.
  const { Failure: _, ...schemas } = document.components.schemas;
  const defaults = KINDS.map((kind) => printDefaults(kind, schemas));
  for (const schema of Object.values(schemas)) markOwnObjects(schema);
  const reduced: OpenAPI3 = { ...document, paths: {}, webhooks: {}, components: { schemas } };
  const nodes = await openapiTS(reduced, { excludeDeprecated: true, silent: true, transform, transformProperty });
  const parts = [
    "// Printed from the service's OpenAPI document by `pnpm --filter @tidegate/client run types`. Do not edit.",
    "import type { Json } from './json.ts';",
    ...declarations(nodes),
    ...KINDS.map((kind) => typesByCountry(kind, schemas)),
    ...defaults,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The countries that have this kind of order. */
function countriesOf(kind: Kind, schemas: Schemas): string[] {
  return Object.keys(schemas).flatMap((name) => new RegExp(`^Create${kind}([A-Z]{2})$`).exec(name)?.[1] ?? []);
}

/**
 * Prints fields that have only one possible value in a country. The client adds them, so they become optional for
 * users.
 */
function printDefaults(kind: Kind, schemas: Schemas): string {
  const table: Record<string, object> = {};
  for (const country of countriesOf(kind, schemas)) {
    const schema = schemas[`Create${kind}${country}`] ?? {};
    const isAdded = (name: string) => ['countryCode', 'currency'].includes(name);
    const added = schema.required?.filter(isAdded) ?? [];
    table[country] = Object.fromEntries(added.map((name) => [name, schema.properties?.[name]?.const]));
    schema.required = schema.required?.filter((name) => !isAdded(name)) ?? [];
  }
  return `/** What the client adds to a ${kind.toLowerCase()} where the request leaves it out, by the merchant's country. */
export const ${kind.toUpperCase()}_DEFAULTS: { readonly [C in keyof ${kind}Types]: Partial<${kind}Types[C]['request']> } = ${JSON.stringify(table, null, 2)};`;
}

/** Marks objects that merchants fill as they like: they may contain any JSON. */
function markOwnObjects(schema: Schema): void {
  for (const property of Object.values(schema.properties ?? {}))
    if (property.additionalProperties === true) property.additionalProperties = { type: 'object', format: 'json' };
}

const keyword = (kind: ts.KeywordTypeSyntaxKind): ts.TypeNode => ts.factory.createKeywordTypeNode(kind);
const orUndefined = (type: ts.TypeNode): ts.TypeNode =>
  ts.factory.createUnionTypeNode([type, keyword(ts.SyntaxKind.UndefinedKeyword)]);

const transform: NonNullable<OpenAPITSOptions['transform']> = (schema) => {
  if (schema.format === 'json') return orUndefined(ts.factory.createTypeReferenceNode('Json'));
  if ('not' in schema) return keyword(ts.SyntaxKind.UndefinedKeyword);
  // The service accepts numbers as amounts too. The client does not, because a double cannot hold money.
  const types = (schema.anyOf ?? []).map((one) => 'type' in one && one.type);
  return types.includes('string') && types.includes('number') ? keyword(ts.SyntaxKind.StringKeyword) : undefined;
};

/** Lets users pass undefined for an absent field, also with `exactOptionalPropertyTypes`. */
const transformProperty: NonNullable<OpenAPITSOptions['transformProperty']> = (property, _, { path = '' }) => {
  const { modifiers, name, questionToken, type } = property;
  if (!questionToken || !type || !path.includes('/schemas/Create')) return undefined;
  if (type.kind === ts.SyntaxKind.UndefinedKeyword) return undefined;
  return ts.factory.updatePropertySignature(property, modifiers, name, questionToken, orUndefined(type));
};

/** `CreatePayinTH` becomes `ThPayinRequest`, `PayinFoundTH` becomes `ThPayinFound`. Other names are kept. */
function typeName(schema: string): string {
  const [, create, kind, part, country = ''] =
    /^(Create)?(Payin|Payout)(Created|Found|Notification)?([A-Z]{2})$/.exec(schema) ?? [];
  return kind ? `${country[0]}${country.slice(1).toLowerCase()}${kind}${create ? 'Request' : part}` : schema;
}

/** Declares each schema as a separate type. */
function declarations(nodes: readonly ts.Node[]): string[] {
  const components = nodes.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === 'components');
  const schemas = components?.members.filter(ts.isPropertySignature).find(({ name }) => nameOf(name) === 'schemas');
  if (!schemas?.type || !ts.isTypeLiteralNode(schemas.type)) throw new Error('openapi-typescript printed no schemas');
  return schemas.type.members.filter(ts.isPropertySignature).map(declare);
}

const nameOf = (name: ts.PropertyName): string => (ts.isIdentifier(name) ? name.text : '');

function declare(member: ts.PropertySignature): string {
  const { name, type } = member;
  if (!type || !ts.isTypeLiteralNode(type)) throw new Error(`the schema ${nameOf(name)} is no object`);
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declared = ts.factory.createInterfaceDeclaration(
    exported,
    typeName(nameOf(name)),
    undefined,
    undefined,
    type.members,
  );
  ts.setSyntheticLeadingComments(declared, ts.getSyntheticLeadingComments(member));
  return astToString(declared)
    .trim()
    .replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (_, schema: string) => typeName(schema));
}

function typesByCountry(kind: Kind, schemas: Schemas): string {
  const rows = countriesOf(kind, schemas).map((country) => {
    const parts = {
      request: `Create${kind}`,
      created: `${kind}Created`,
      found: `${kind}Found`,
      notification: `${kind}Notification`,
    };
    const fields = Object.entries(parts).map(([part, schema]) => `${part}: ${typeName(schema + country)}`);
    return `    ${country}: { ${fields.join('; ')} };`;
  });
  return `export interface ${kind}Types {\n${rows.join('\n')}\n}`;
}

if (import.meta.main) writeFileSync(typesFile, await printTypes());
