import { BadRow } from '../reading/bad-row.ts';

/** What spreadsheets show in the place of a value that they could not keep. */
const lost = /^(?:#(?:NUM!|N\/A|REF!|VALUE!|NAME\?|NULL!|DIV\/0!)|#{2,})$/i;
/** A long number after a spreadsheet took it for an amount: its last digits are lost. */
const rounded = /^[+-]?[0-9](?:[.,][0-9]+)?E\+?[0-9]{1,3}$/i;

/**
 * The text of a cell before a program guarded it against spreadsheets: `="0630"`, `'0630` and `` `0630 `` are `0630`. Some
 * banks and WeChat Pay write each cell like that.
 */
export function withoutGuard(text: string): string {
  const cell = text.trim();
  const inner = /^="(.*)"$/s.exec(cell)?.[1] ?? (/^(?:'[0-9A-Za-z]|`)/.test(cell) ? cell.slice(1) : cell);
  return inner.trim();
}

/** The same. Throws BadRow with the name `what` for a cell whose value the spreadsheet lost. */
export function restoreCell(text: string, what: string): string {
  const cell = withoutGuard(text);
  const isRounded = rounded.test(cell) && /[.,+]/.test(cell);
  if (lost.test(cell) || isRounded) throw new BadRow(`a spreadsheet has damaged ${what}`);
  return cell;
}

/**
 * A bank's reference without zeros before it. Indian banks fill the 12 digits of UPI and IMPS up to 16, and everybody else
 * writes the 12.
 */
export function withoutPadding(reference: string | null): string | null {
  return reference !== null && /^0{4}[0-9]{12}$/.test(reference) ? reference.slice(4) : reference;
}
