/**
 * A cell of a CSV file (RFC 4180), for exports and for the console. A text that a spreadsheet would run as a formula, or
 * change because it looks like a number, gets an apostrophe in front. `isNumber`: it may be read as a number.
 */
export function csvCell(text: string, isNumber = false): string {
  return quoted(isNumber ? text : defused(text));
}

/**
 * Whether a spreadsheet may take a text for a formula: it begins with = + - @, a tab or the end of a line, also in full width. CWE-1236 and
 * OWASP "CSV Injection" name these.
 */
export function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}

/** Perhaps a formula, after what some spreadsheets split cells at. They ignore the quotes of a cell that they split. */
const afterSeparator = /([;,|\t\r\n]\s*)([=+\-@＝＋－＠]?)/g;

function neutralised(_: string, before: string, formula: string): string {
  return formula === '' ? before : `${before}'${formula}`;
}

function defused(text: string): string {
  const inside = text.slice(0, 1) + text.slice(1).replace(afterSeparator, neutralised);
  return isFormula(inside) || isNumberOfDigits(inside) ? `'${inside}` : inside;
}

/** Whether a spreadsheet would change a text: it shows long numbers rounded, drops leading zeros, and reads `12E5` as 1200000. */
function isNumberOfDigits(text: string): boolean {
  return /^(?:0[0-9]+|[0-9]{12,}|[0-9]+E[0-9]+)$/i.test(text);
}

function quoted(text: string): string {
  return /[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
