import { type CsvSettings, readCsvProfile } from '@tidegate/domain/lists';

/** A profile from JSON, or what is wrong with it. */
export function readProfile(json: string): CsvSettings | string {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    return 'not JSON';
  }
  try {
    return readCsvProfile(read);
  } catch (error) {
    return (error as Error).message;
  }
}
