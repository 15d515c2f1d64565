import { readAmount } from '@tidegate/settings/typed-amount';
import * as z from 'zod/mini';
import { isPeriod } from '../format/period.ts';

z.config({ jitless: true });

/** Kinds of filter: one or several of given values, one or several texts, or a period. */
export type FilterKind = 'choice' | 'choices' | 'text' | 'texts' | 'period';

interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** A filter of a list: how it is read from the URL, and how the filter bar shows it. */
export interface Filter<Value> {
  readonly label: string;
  readonly kind: FilterKind;
  readonly options: readonly FilterOption[];
  readonly placeholder: string;
  /** Hidden behind `More filters` until the filter is set. */
  readonly isRare?: boolean;
  /** Reads a value from the URL; undefined if it is not valid. */
  readonly read: (value: unknown) => Value | undefined;
}

/** Values of `filters`, each optional. */
export type FilterValues<Filters> = {
  [Name in keyof Filters]?: Filters[Name] extends Filter<infer Value> ? Value : never;
};

type Words<Value extends string> = Readonly<Record<Value, string | { label: string }>>;

function optionsOf<Value extends string>(words: Words<Value>): FilterOption[] {
  return Object.entries<string | { label: string }>(words).map(([value, word]) => ({
    value,
    label: typeof word === 'string' ? word : word.label,
  }));
}

function reader<Value>(schema: z.ZodMiniType<Value>): (value: unknown) => Value | undefined {
  return (value) => {
    const read = schema.safeParse(value);
    return read.success ? read.data : undefined;
  };
}

/** A filter for several of these values. */
export function choices<Value extends string>(label: string, words: Words<Value>): Filter<Value[]> {
  const options = optionsOf(words);
  const isOption = (value: unknown): value is Value => options.some((option) => option.value === value);
  const read = (value: unknown) => {
    const found = (Array.isArray(value) ? value : [value]).filter(isOption);
    return found.length > 0 ? [...new Set(found)] : undefined;
  };
  return { label, kind: 'choices', options, placeholder: '', read };
}

/** A filter for one of these values. */
export function choice<Value extends string>(label: string, words: Words<Value>): Filter<Value> {
  const options = optionsOf(words);
  const read = (value: unknown) => (options.some((option) => option.value === value) ? (value as Value) : undefined);
  return { label, kind: 'choice', options, placeholder: '', read };
}

/** A longer text meets no pattern. */
const typedText = z.string().check(z.maxLength(256, { abort: true }));
const shortText = typedText.check(z.trim(), z.minLength(1));

/** A filter for a text. */
export function text(label: string, placeholder = ''): Filter<string> {
  return { label, kind: 'text', options: [], placeholder, read: reader(shortText) };
}

/** A filter for several texts, for example merchant numbers. */
export function texts(label: string, placeholder = ''): Filter<string[]> {
  const many = reader(z.array(shortText).check(z.minLength(1), z.maxLength(100)));
  const read = (value: unknown) => many(Array.isArray(value) ? value : [value]);
  return { label, kind: 'texts', options: [], placeholder, read };
}

/** A filter for an amount as people type it. */
export function amount(label: string): Filter<string> {
  const readText = reader(typedText.check(z.trim(), z.maxLength(30)));
  const read = (value: unknown) => {
    const typed = readText(value);
    const found = typed === undefined ? null : readAmount(typed);
    return found?.ok && !found.amount.startsWith('-') ? found.amount : undefined;
  };
  return { label, kind: 'text', options: [], placeholder: '0.00', read };
}

/** A filter for a period: a name such as `today`, or days. */
export function period(label: string): Filter<string> {
  return { label, kind: 'period', options: [], placeholder: '', read: reader(typedText.check(z.refine(isPeriod))) };
}

/** A filter that the bar shows only once it is set, or after a click on `More filters`. */
export function rare<Value>(filter: Filter<Value>): Filter<Value> {
  return { ...filter, isRare: true };
}

// biome-ignore lint/suspicious/noExplicitAny: the value of each filter is found again by FilterValues.
export type Filters = Readonly<Record<string, Filter<any>>>;

/** Cursor and order of a list. */
export interface Paging {
  readonly after?: string;
  readonly before?: string;
  readonly sort?: 'OLDEST_FIRST';
}

/** Reads the filters and the page of a list from the URL: the `validateSearch` of its route. */
export function readListSearch<const Given extends Filters>(filters: Given) {
  return (search: Record<string, unknown>): FilterValues<Given> & Paging => {
    const cursor = (value: unknown) => (typeof value === 'string' && value.length <= 1_000 ? value : undefined);
    const read = Object.entries(filters).map(([name, filter]) => [name, filter.read(search[name])]);
    const paging = {
      after: cursor(search.after),
      before: cursor(search.before),
      sort: search.sort === 'OLDEST_FIRST' ? 'OLDEST_FIRST' : undefined,
    };
    const known = [...read, ...Object.entries(paging)].filter(([, value]) => value !== undefined);
    return Object.fromEntries(known) as FilterValues<Given> & Paging;
  };
}

const PAGE_SIZE = 50;

/** The paging arguments of a connection. */
export function pageArguments({ after, before }: Paging): {
  first?: number;
  last?: number;
  after?: string;
  before?: string;
} {
  return before === undefined
    ? { first: PAGE_SIZE, ...(after !== undefined && { after }) }
    : { last: PAGE_SIZE, before };
}
