import type { ProfileFields } from '@tidegate/domain/lists';
import { builder } from '../graphql/builder.ts';

// The choices of a CSV profile.

type Values<T extends string> = Record<string, { value: T; description: string }>;

export const CsvEncodingEnum = builder.enumType('CsvEncoding', {
  description: 'Encoding of a CSV.',
  values: {
    UTF_8: { value: 'utf-8', description: 'UTF-8.' },
    UTF_16LE: { value: 'utf-16le', description: 'UTF-16, little-endian.' },
    GBK: { value: 'gbk', description: 'GBK, of China.' },
    WINDOWS_1252: { value: 'windows-1252', description: 'Windows-1252, also for Latin-1.' },
    WINDOWS_874: { value: 'windows-874', description: 'Windows-874, also for TIS-620 of Thailand.' },
  } as const satisfies Values<ProfileFields['encoding']>,
});

export const CsvDelimiterEnum = builder.enumType('CsvDelimiter', {
  description: 'What separates the cells of a CSV.',
  values: {
    COMMA: { value: 'comma', description: 'A comma.' },
    SEMICOLON: { value: 'semicolon', description: 'A semicolon.' },
    TAB: { value: 'tab', description: 'A tab.' },
    BAR: { value: 'bar', description: 'A vertical line.' },
  } as const satisfies Values<ProfileFields['delimiter']>,
});

export const CsvDecimalSignEnum = builder.enumType('CsvDecimalSign', {
  description: 'The decimal sign of a CSV. The other sign groups digits.',
  values: {
    POINT: { value: 'point', description: '1,234.50.' },
    COMMA: { value: 'comma', description: '1.234,50.' },
  } as const satisfies Values<ProfileFields['decimalSign']>,
});

export const CsvCalendarEnum = builder.enumType('CsvCalendar', {
  description: 'The era of the years of a CSV.',
  values: {
    GREGORIAN: { value: 'gregorian', description: '2026 is 2026.' },
    BUDDHIST: { value: 'buddhist', description: '2569 is 2026.' },
  } as const satisfies Values<NonNullable<ProfileFields['calendar']>>,
});

export const CsvDirectionEnum = builder.enumType('CsvDirection', {
  description: 'Where the direction of the money comes from.',
  values: {
    SIGN: { value: 'sign', description: 'Negative amounts left.' },
    COLUMNS: { value: 'columns', description: 'Two columns, for money in and money out.' },
    WORDS: { value: 'words', description: 'Words of a column.' },
    TYPE: { value: 'type', description: 'The type of the row.' },
  } as const satisfies Values<ProfileFields['directionBy']>,
});

export const CsvMinusEnum = builder.enumType('CsvMinus', {
  description: 'Meaning of a minus if the direction is stated in another way.',
  values: {
    OUT: { value: 'out', description: 'Outgoing amounts have it.' },
    REVERSAL: { value: 'reversal', description: 'It reverses the direction.' },
  } as const satisfies Values<NonNullable<ProfileFields['negative']>>,
});
