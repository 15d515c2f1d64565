import { type Add, whereAll } from '../../lists/values.ts';
import {
  countUpTo,
  openConditions,
  otherRange,
  rangeConditions,
  rowConditions,
  type Search,
  type Statement,
  statement,
} from './list-conditions.ts';
import type { Finder } from './list-finders.ts';
import { type Groups, groupsFrom, inGroup } from './list-groups.ts';
import { ordersOf, residualConditions } from './list-walk.ts';

/** Orders that a total looks at where a condition has to be checked for each. */
const maxExamined = 10_000;

/** Counts all orders of a search up to `most`, those of a finder or of groups. `isCut`: not all were looked at. */
export function totalOf(search: Search, counted: Finder | Groups, most: number): Statement {
  return statement((add) => {
    if ('holds' in counted) return totalOfFinder(search, counted, most, add);
    const open = openConditions(search, add).map((one) => `select from orders t${whereAll(one)}`);
    const ended = totalOfEnded(search, counted, most, add);
    if (open.length === 0) return ended;
    return `select e.count + o.count as count, e."isCut" from (${ended}) e cross join (${countUpTo(open.join(' union all '), most)}) o`;
  });
}

function totalOfFinder(search: Search, finder: Finder, most: number, add: Add): string {
  const { filter, sort, scope, finders } = search;
  const others = finders.filter((one) => one !== finder).map(({ holds }) => holds(add));
  const found = `select from ${ordersOf(finder, add)}${whereAll([...rowConditions(filter, sort, scope, add), ...others])}`;
  return withoutCut(countUpTo(found, most));
}

function totalOfEnded(search: Search, groups: Groups, most: number, add: Add): string {
  const { filter, sort } = search;
  const from = groupsFrom(groups, add);
  const residual = residualConditions(search, groups, add);
  const inside = whereAll([...inGroup(groups, otherRange(filter, sort) ?? sort), ...rangeConditions(filter, add)]);
  if (residual.length === 0)
    return withoutCut(
      countUpTo(`select from ${from} cross join lateral (select from orders t${inside} limit ${most + 1}) t`, most),
    );
  const each = Math.ceil(maxExamined / Math.max(1, groups.rows.length));
  return `select count(*) filter (where not "isCut")::integer as count, coalesce(bool_or("isCut"), false) as "isCut" from (
      select t.nth > ${each} as "isCut" from ${from} cross join lateral (
        select t.*, row_number() over () as nth from (select t.* from orders t${inside} limit ${each + 1}) t) t
      where t.nth > ${each} or (${residual.join(' and ')}) limit ${most + 1}) t`;
}

const withoutCut = (counted: string): string => `select c.count, false as "isCut" from (${counted}) c`;
