import * as z from 'zod';

// The checks of JSON columns as SQL, made of the same shapes that results are read by (src/database/json-columns.ts). The
// migrations have them as plain SQL; a test compares the two.

/** What is used of JSON Schema. */
interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  maxLength?: number;
  anyOf?: Shape[];
  oneOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: Shape | boolean;
  propertyNames?: Shape;
}

/** The condition of a check for a column with this schema. */
function checkOf(column: string, schema: z.ZodType): string {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return `${column} is null or ${conditionOf(shape, column)}`;
}

/** SQL about the JSON value `at`, never null if the value is there. */
function conditionOf(shape: Shape, at: string): string {
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return `(${choices.map((one) => conditionOf(one, at)).join(' or ')})`;
  if (shape.const !== undefined) return `${at} = ${jsonb(shape.const)}`;
  if (shape.enum) return `${at} in (${shape.enum.map(jsonb).join(', ')})`;
  if (shape.type === 'object')
    return `case jsonb_typeof(${at}) when 'object' then ${membersOf(shape, at)} else false end`;
  if (shape.type === 'array')
    return `case jsonb_typeof(${at}) when 'array' then ${elementsOf('$[*]', shape.items, at)} else false end`;
  if (shape.type === 'number')
    return `case jsonb_typeof(${at}) when 'number' then abs((${at})::numeric) < 1e300 else false end`;
  const typed = shape.type ? `jsonb_typeof(${at}) = ${text(shape.type)}` : 'true';
  return shape.maxLength === undefined ? typed : `(${typed} and octet_length(${at} #>> '{}') <= ${shape.maxLength})`;
}

function membersOf(shape: Shape, at: string): string {
  const members = Object.entries(shape.properties ?? {}).map(([name, one]) => {
    const condition = conditionOf(one, `(${at} -> ${text(name)})`);
    const absent = shape.required?.includes(name) ? 'false' : 'true';
    return condition === 'true' && absent === 'true'
      ? 'true'
      : `case when ${at} ? ${text(name)} then ${condition} else ${absent} end`;
  });
  const { additionalProperties, propertyNames } = shape;
  const isRecord = shape.properties === undefined && typeof additionalProperties === 'object';
  const names =
    propertyNames?.enum &&
    `${at} - array[${propertyNames.enum.map((one) => text(String(one))).join(', ')}] = '{}'::jsonb`;
  const values = isRecord ? elementsOf('$.*', additionalProperties, at) : 'true';
  return [...members, names ?? 'true', values].filter((one) => one !== 'true').join(' and ') || 'true';
}

/** Of each element or value. What is unknown about one, because a member is missing, counts as wrong. */
function elementsOf(path: string, shape: Shape | undefined, at: string): string {
  const condition = shape ? pathOf(shape, '@') : 'true';
  if (condition === 'true') return 'true';
  const wrong = `not jsonb_path_exists(${at}, ${text(`strict ${path} ? (!(${condition}) || (${condition}) is unknown)`)})`;
  return shape?.maxLength === undefined ? wrong : `${wrong} and pg_column_size(${at}) <= ${shape.maxLength}`;
}

/** The same as a predicate of a JSON path about `at`. */
function pathOf(shape: Shape, at: string): string {
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return choices.map((one) => `(${pathOf(one, at)})`).join(' || ');
  const values = shape.enum ?? (shape.const === undefined ? [] : [shape.const]);
  if (values.length > 0) return values.map((one) => `${at} == ${JSON.stringify(one)}`).join(' || ');
  if (shape.type === 'array' && Object.keys(shape.items ?? {}).length > 0)
    return `${at}.type() == "array" && !exists(${at}[*] ? (!(${pathOf(shape.items ?? {}, '@')})))`;
  if (shape.type !== 'object') return shape.type ? `${at}.type() == "${shape.type}"` : 'true';
  const members = Object.entries(shape.properties ?? {}).flatMap(([name, one]) => {
    const condition = pathOf(one, `${at}.${name}`);
    if (condition === 'true') return [];
    return shape.required?.includes(name) ? [`(${condition})`] : [`(!exists(${at}.${name}) || (${condition}))`];
  });
  return [`${at}.type() == "object"`, ...members].join(' && ');
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const jsonb = (value: unknown): string => `${text(JSON.stringify(value))}::jsonb`;

/** Only the audit writes and reads these, so their shape is its own matter. */
const ofAudit = ['audit_checkpoint.position', 'audit_run.position', 'period_walk.walk'];

/** The condition of each column that other processes write or read. */
export const jsonChecks = (
  columns: Readonly<Record<string, z.ZodType>>,
): [table: string, column: string, condition: string][] =>
  Object.entries(columns).flatMap(([name, schema]) => {
    const [table = '', column = ''] = name.split('.');
    return ofAudit.includes(name) ? [] : [[table, column, checkOf(column, schema)]];
  });
