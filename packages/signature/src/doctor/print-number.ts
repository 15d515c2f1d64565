/** How programs print the numbers of a request. `as they stand`: exactly as in the request. */
export type NumberPrint =
  | 'as they stand'
  | 'JavaScript'
  | 'two decimals'
  | 'six decimals'
  | 'plain double'
  | 'Python'
  | 'Ruby'
  | 'Java'
  | 'Java, whole numbers too'
  | 'Go'
  | 'PHP'
  | 'PHP JSON'
  | 'PHP var_export'
  | 'C#'
  | 'C#, whole numbers too'
  | 'Json.NET'
  | 'decimal'
  | 'decimal, no zeros'
  | 'BigDecimal'
  | 'Ruby BigDecimal'
  | 'Ruby BigDecimal, F';

/** Prints the number of a JSON text. A number of which too many digits would be printed stays as it is. */
export function printNumber(text: string, print: NumberPrint): string {
  const decimal = decimalOf(text);
  if (decimal === null || !Number.isFinite(Number(text))) return text;
  return PRINTS[print](text, decimal);
}

/** A decimal: its sign, and `digits` without zeros in front, of which the first counts 10^`exponent`. */
interface Decimal {
  sign: '' | '-';
  digits: string;
  exponent: number;
  /** Whether the text has neither decimals nor an exponent. */
  isWhole: boolean;
}

/** The most digits that are printed: those of the largest double. */
const MAX_EXPONENT = 308;

function decimalOf(text: string): Decimal | null {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (sign === undefined || Math.abs(Number(power)) > MAX_EXPONENT) return null;
  const all = whole + fraction;
  let leading = 0;
  while (all[leading] === '0') leading += 1;
  return {
    sign: sign === '-' ? '-' : '',
    digits: all.slice(leading) || '0',
    exponent: leading === all.length ? 0 : whole.length - 1 - leading + Number(power),
    isWhole: /^-?\d+$/.test(text),
  };
}

/** The number as a double, in the fewest digits that are read as the same double, or rounded to `most` digits. */
function doubleOf(text: string, most?: number): Decimal {
  const written = Number(text).toExponential(most === undefined ? undefined : most - 1);
  const [mantissa = '0', power = '0'] = written.split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  return trimmed({ sign, digits, exponent: Number(power), isWhole: false });
}

/** All digits, without an exponent. */
function plain({ sign, digits, exponent }: Decimal, ending = ''): string {
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const fraction = digits.slice(exponent + 1);
  return `${sign}${whole}${fraction === '' ? ending : `.${fraction}`}`;
}

/** How a language prints doubles. */
interface Style {
  /** The exponents from which and to which it prints all digits. */
  from: number;
  to: number;
  /** What it prints behind a whole number, without and with an exponent. */
  ending?: '.0';
  mantissaEnding?: '.0';
  e: 'e' | 'E' | 'e+' | 'E+';
  /** The fewest digits of an exponent. */
  width?: 2;
}

const STYLES = {
  JavaScript: { from: -7, to: 20, e: 'e+' },
  Python: { from: -4, to: 15, ending: '.0', e: 'e+', width: 2 },
  Ruby: { from: -4, to: 15, ending: '.0', mantissaEnding: '.0', e: 'e+', width: 2 },
  Java: { from: -3, to: 6, ending: '.0', mantissaEnding: '.0', e: 'E' },
  Go: { from: -4, to: 5, e: 'e+', width: 2 },
  PHP: { from: -4, to: 13, mantissaEnding: '.0', e: 'E+' },
  'PHP JSON': { from: -4, to: 16, mantissaEnding: '.0', e: 'e+' },
  'PHP var_export': { from: -4, to: 16, ending: '.0', mantissaEnding: '.0', e: 'E+' },
  'C#': { from: -4, to: 14, e: 'E+', width: 2 },
  'Json.NET': { from: -4, to: 14, ending: '.0', e: 'E+', width: 2 },
} as const satisfies Record<string, Style>;

function styled(decimal: Decimal, { from, to, ending, mantissaEnding, e, width }: Style): string {
  const { sign, digits, exponent } = decimal;
  if (exponent >= from && exponent <= to) return plain(decimal, ending);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : (mantissaEnding ?? '');
  const power = String(Math.abs(exponent)).padStart(width ?? 1, '0');
  return `${sign}${digits[0]}${fraction}${exponent < 0 ? `${e[0]}-` : e}${power}`;
}

/** The double with all its digits and `count` decimals. */
function fixed(text: string, count: number): string {
  const double = Number(text);
  return Math.abs(double) < 1e21 ? double.toFixed(count) : `${BigInt(double)}.${'0'.repeat(count)}`;
}

/** As `BigDecimal.toString` of Java and `str` of Python's Decimal: digits are kept, and so is a positive exponent. */
function bigDecimal(text: string, decimal: Decimal): string {
  const { sign, digits, exponent } = decimal;
  if (exponent - digits.length + 1 <= 0 && exponent >= -6) return plain(decimal);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return /[eE]/.test(text) || exponent < -6
    ? `${sign}${digits[0]}${fraction}E${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
    : text;
}

/** Without zeros at the end. `plain` adds those that a whole number needs. */
function trimmed(decimal: Decimal): Decimal {
  let end = decimal.digits.length;
  while (end > 1 && decimal.digits[end - 1] === '0') end -= 1;
  return { ...decimal, digits: decimal.digits.slice(0, end) };
}

const isLong = (text: string): boolean => text.length <= 20 && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

type Print = (text: string, decimal: Decimal) => string;

const all =
  (name: keyof typeof STYLES, most?: number): Print =>
  (text) =>
    styled(doubleOf(text, most), STYLES[name]);
const withDecimals =
  (print: Print): Print =>
  (text, decimal) =>
    decimal.isWhole ? text : print(text, decimal);
/** PHP reads a whole number beyond 64 bits as a double. */
const php =
  (print: Print): Print =>
  (text, decimal) =>
    decimal.isWhole && isLong(text) ? text : print(text, decimal);

const PRINTS: Record<NumberPrint, Print> = {
  'as they stand': (text) => text,
  JavaScript: all('JavaScript'),
  'two decimals': (text) => fixed(text, 2),
  'six decimals': (text) => fixed(text, 6),
  'plain double': (text) => plain(doubleOf(text)),
  Python: withDecimals(all('Python')),
  Ruby: withDecimals(all('Ruby')),
  Java: withDecimals(all('Java')),
  'Java, whole numbers too': all('Java'),
  Go: all('Go'),
  PHP: php(all('PHP', 14)),
  'PHP JSON': php(all('PHP JSON')),
  'PHP var_export': php(all('PHP var_export')),
  'C#': withDecimals(all('C#', 15)),
  'C#, whole numbers too': all('C#', 15),
  'Json.NET': withDecimals(all('Json.NET')),
  decimal: (_, decimal) => plain(decimal),
  'decimal, no zeros': (_, decimal) => plain(trimmed(decimal)),
  BigDecimal: bigDecimal,
  'Ruby BigDecimal': withDecimals((_, decimal) => {
    const { sign, digits, exponent } = trimmed(decimal);
    return digits === '0' ? `${sign}0.0` : `${sign}0.${digits}e${exponent + 1}`;
  }),
  'Ruby BigDecimal, F': withDecimals((_, decimal) => plain(trimmed(decimal), '.0')),
};
