import type { CsvProfilePartsFragment, SetCsvProfileInput } from '../generated/documents.generated.ts';

/** The settings of a profile. */
export type ProfileField = Exclude<keyof SetCsvProfileInput, 'basedOn'>;

/** What is typed in the form, by field. Lists have one entry in each line. */
export type ProfileValues = Readonly<Partial<Record<ProfileField, string>>>;

const lists: readonly string[] = ['inWords', 'outWords', 'types', 'moneyWords', 'otherWords'] satisfies ProfileField[];
const numbers: readonly string[] = ['preambleRows', 'trailerRows'] satisfies ProfileField[];

/** What most files have. */
export const usualValues: ProfileValues = {
  encoding: 'UTF_8',
  delimiter: 'COMMA',
  preambleRows: '0',
  trailerRows: '0',
  decimalSign: 'POINT',
  directionBy: 'SIGN',
};

/** Fields that count only with these values of another one. */
const dependent: Partial<Record<ProfileField, (values: ProfileValues) => boolean>> = {
  grossColumn: ({ directionBy }) => directionBy !== 'COLUMNS',
  inColumn: ({ directionBy }) => directionBy === 'COLUMNS',
  outColumn: ({ directionBy }) => directionBy === 'COLUMNS',
  directionColumn: ({ directionBy }) => directionBy === 'WORDS',
  inWords: ({ directionBy }) => directionBy === 'WORDS',
  outWords: ({ directionBy }) => directionBy === 'WORDS',
  negative: ({ directionBy }) => directionBy !== 'SIGN',
  types: ({ typeColumn = '' }) => typeColumn.trim() !== '',
  moneyWords: ({ statusColumn = '' }) => statusColumn.trim() !== '',
  otherWords: ({ statusColumn = '' }) => statusColumn.trim() !== '',
};

/** Whether a field counts, by what is typed in the others. */
export function counts(field: ProfileField, values: ProfileValues): boolean {
  return dependent[field]?.(values) ?? true;
}

/** What the form shows of a stored version. */
export function valuesOf(profile: CsvProfilePartsFragment): ProfileValues {
  const values: Partial<Record<ProfileField, string>> = {};
  const { __typename: _, version: _version, format: _format, ...rest } = profile;
  const { createdBy: _by, approvedBy: _approvedBy, createdAt: _at, ...settings } = rest;
  for (const [field, value] of Object.entries(settings))
    if (value !== null) values[field as ProfileField] = Array.isArray(value) ? value.join('\n') : String(value);
  return values;
}

/** The input of the mutation. Empty fields, and those that do not count, are left out. */
export function inputOf(values: ProfileValues, basedOn: number): SetCsvProfileInput {
  const input: Record<string, unknown> = { basedOn };
  for (const [name, typed] of Object.entries(values) as [ProfileField, string][]) {
    const text = typed.trim();
    if (text === '' || !counts(name, values)) continue;
    if (lists.includes(name)) input[name] = linesOf(text);
    else input[name] = numbers.includes(name) ? Number(text) : text;
  }
  return input as SetCsvProfileInput;
}

/** A row of a type without its word is not complete, and is left out. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('='));
}

/** A word of the type column, and what it means. */
export interface TypeRow {
  readonly word: string;
  readonly type: string;
  readonly direction: string;
}

/** The rows of the field `types`: `payment = payin in`. */
export function typeRowsOf(text: string): TypeRow[] {
  return text
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => {
      const at = line.lastIndexOf('=');
      const [type = '', direction = ''] = line
        .slice(at + 1)
        .trim()
        .split(/\s+/);
      return { word: line.slice(0, at).replace(/ $/, ''), type, direction };
    });
}

/** The text of the rows. Without `hasDirection` their directions are left out. */
export function typesText(rows: readonly TypeRow[], hasDirection: boolean): string {
  return rows
    .map(({ word, type, direction }) => `${word} = ${type}${hasDirection && direction !== '' ? ` ${direction}` : ''}`)
    .join('\n');
}
