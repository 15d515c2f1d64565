/**
 * How many merchants' rows a statement can touch in a table:
 *
 * - `one`: those of one merchant, `merchant_id = $1`.
 * - `any`: those of the merchants in a parameter, `merchant_id = any($1)`.
 * - `listed`: those of the merchants in a list that it joins, e.g. `unnest($1)`.
 * - `all`: nothing limits the merchant.
 */
export type Reach = 'one' | 'any' | 'listed' | 'all';

/** From least to most. */
const reaches: readonly Reach[] = ['one', 'any', 'listed', 'all'];

/** A node of a plan, as `explain (verbose, format json)` prints it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Schema?: string;
  Alias?: string;
  Operation?: string;
  'Join Type'?: string;
  'CTE Name'?: string;
  'Subplan Name'?: string;
  'Parent Relationship'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  'Hash Cond'?: string;
  'Merge Cond'?: string;
  Plans?: PlanNode[];
}

/** What a plan reads rows from under an alias: a table, a list of parameters, or what another part of the plan returns. */
interface Source {
  table: string | null;
  /** The plan node that returns these rows. Null for a table or a list of parameters. */
  rowsOf: PlanNode | null;
  /** Conditions that every row meets. */
  conditions: string[];
}

/**
 * The tables of merchants in a plan, with the widest reach of the statement in each. The planner has resolved names, and
 * passes a condition on one table on to those that are joined by it. `ofMerchants`: the tables with a merchant in their
 * key; other tables have no reach.
 */
export function reachOfPlan(root: PlanNode, ofMerchants: ReadonlySet<string>): Map<string, Reach> {
  const nodes = nodesIn(root);
  const sources = sourcesOf(nodes);
  const named = new Map(nodes.flatMap((node) => (node['Subplan Name'] ? [[node['Subplan Name'], node]] : [])));
  addJoinConditions(nodes, sources);

  const reachOf = (alias: string, under: ReadonlySet<string>): Reach => {
    const source = sources.get(alias);
    if (!source || under.has(alias)) return 'all';
    const visited = new Set([...under, alias]);
    if (source.table === null) return source.rowsOf === null ? 'listed' : widestIn(source.rowsOf, visited);
    return least(
      source.conditions.flatMap((text) => equalsOf(text, alias)).map((value) => reachOfValue(value, visited)),
    );
  };
  const reachOfValue = (value: string, under: ReadonlySet<string>): Reach => {
    if (/^\(?\$\d+\)?(::[\w ]+)?$|^'[^']*'(::[\w ]+)?$/.test(value)) return 'one';
    if (/^ANY \(+(\$\d+|'\{)/.test(value)) return 'any';
    const once = named.get(/^\((InitPlan \d+)\)\.col\d+$/.exec(value)?.[1] ?? '');
    if (once) return widestIn(once, under);
    const column = columnOf(value);
    if (!column) return 'all';
    const isMerchant = column.name === 'merchant_id' || sources.get(column.alias)?.table === null;
    return isMerchant ? reachOf(column.alias, under) : 'all';
  };
  /** The widest reach among the tables in a part of the plan. A recursion is as wide as where it begins. */
  const widestIn = (part: PlanNode, under: ReadonlySet<string>): Reach => {
    const within = [...sourcesOf(nodesIn(part))].filter(([, { table }]) => table === null || ofMerchants.has(table));
    return widest(within.flatMap(([alias]) => (under.has(alias) ? [] : [reachOf(alias, under)])));
  };

  const found = new Map<string, Reach>();
  const add = (table: string | null | undefined, reach: Reach): void => {
    if (table && ofMerchants.has(table)) found.set(table, widest([found.get(table) ?? 'one', reach]));
  };
  for (const [alias, { table }] of sources) add(table, reachOf(alias, new Set()));
  // Every row names its merchant, because it is part of the key. Its source says how many merchants there are.
  for (const node of nodes) if (isInsert(node)) add(node['Relation Name'], widestIn(node, new Set()));
  return found;
}

function nodesIn(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesIn)];
}

function isInsert(node: PlanNode): boolean {
  return node.Operation === 'Insert' && node.Schema === 'public';
}

function sourcesOf(nodes: readonly PlanNode[]): Map<string, Source> {
  const found = new Map<string, Source>();
  for (const node of nodes) {
    const { Alias: alias, 'Node Type': type } = node;
    if (alias === undefined || !type.endsWith('Scan')) continue;
    const conditions = [node['Index Cond'], node['Recheck Cond'], node.Filter].filter((text) => text !== undefined);
    const table = node.Schema === 'public' ? (node['Relation Name'] ?? null) : null;
    const cte = nodes.find((one) => one['Subplan Name'] === `CTE ${node['CTE Name']}`) ?? null;
    found.set(alias, { table, rowsOf: cte ?? (type === 'Subquery Scan' ? node : null), conditions });
  }
  return found;
}

/** A join's condition limits both sides, but an outer join keeps the rows of one side that do not meet it. */
function addJoinConditions(nodes: readonly PlanNode[], sources: ReadonlyMap<string, Source>): void {
  for (const node of nodes) {
    const texts = [node['Join Filter'], node['Hash Cond'], node['Merge Cond']].filter((text) => text !== undefined);
    const limited = limitedSides[node['Join Type'] ?? ''] ?? [];
    for (const side of node.Plans ?? []) {
      if (!limited.includes(side['Parent Relationship'] ?? '')) continue;
      for (const alias of sourcesOf(nodesIn(side)).keys()) sources.get(alias)?.conditions.push(...texts);
    }
  }
}

const limitedSides: Readonly<Record<string, readonly string[]>> = {
  Inner: ['Outer', 'Inner'],
  Semi: ['Outer', 'Inner'],
  'Right Semi': ['Outer', 'Inner'],
  Left: ['Inner'],
  Anti: ['Inner'],
  Right: ['Outer'],
  'Right Anti': ['Outer'],
};

/** What the condition says that the merchant of `alias` equals. */
function equalsOf(condition: string, alias: string): string[] {
  return conjunctsOf(condition).flatMap((text) => {
    const sides = splitAt(text, ' = ');
    if (sides.length !== 2) return [];
    return sides.flatMap((side, i) => {
      const column = columnOf(side);
      return column?.alias === alias && column.name === 'merchant_id' ? [sides[1 - i] ?? ''] : [];
    });
  });
}

function columnOf(text: string): { alias: string; name: string } | null {
  const [, alias, name] = /^("(?:[^"]|"")+"|[\w$]+)\.("(?:[^"]|"")+"|[\w$]+)$/.exec(text) ?? [];
  return alias && name ? { alias: unquoted(alias), name: unquoted(name) } : null;
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

function conjunctsOf(condition: string): string[] {
  const inner = withoutParentheses(condition);
  const parts = splitAt(inner, ' AND ');
  return parts.length === 1 ? [inner] : parts.flatMap(conjunctsOf);
}

/** Without the parentheses around the whole of it. */
function withoutParentheses(text: string): string {
  return text.startsWith('(') && endOf(text) === text.length - 1 ? withoutParentheses(text.slice(1, -1)) : text;
}

/** Position at which the first parenthesis is closed. */
function endOf(text: string): number {
  return outside(text).findIndex((depth, i) => i > 0 && depth === 0);
}

/** Splits where `separator` is outside of parentheses and quotes. */
function splitAt(text: string, separator: string): string[] {
  const depths = outside(text);
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) {
    if (depths[at] !== 0) continue;
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...parts, text.slice(from)];
}

/** The number of open parentheses after each character; within quotes one more. */
function outside(text: string): number[] {
  let depth = 0;
  let quote = '';
  return [...text].map((letter) => {
    if (quote !== '') {
      if (letter === quote) quote = '';
      return depth + (quote === '' ? 0 : 1);
    }
    if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '(') depth += 1;
    else if (letter === ')') depth -= 1;
    return depth + (quote === '' ? 0 : 1);
  });
}

/** The widest of these reaches; `one` if there are none. */
export function widest(all: readonly Reach[]): Reach {
  return reaches.findLast((reach) => all.includes(reach)) ?? 'one';
}

/** Several conditions hold at once, so the narrowest counts. */
function least(all: readonly Reach[]): Reach {
  return reaches.find((reach) => all.includes(reach)) ?? 'all';
}
