import { UsageProblem } from './command.ts';

type Fields = { [name: string]: string | Fields };

/**
 * Makes an object from arguments like `amount=100.00 metadata.ifsc=HDFC0001234`. A dot leads into a nested object.
 * Every value is a text.
 * @throws UsageProblem
 */
export function fieldsOf(args: readonly string[]): Fields {
  const fields: Fields = {};
  for (const argument of args) {
    const [, path = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(argument) ?? [];
    const names = path.split('.');
    if (names.some((name) => name === '' || name === '__proto__'))
      throw new UsageProblem(`write fields as name=value or object.name=value, not ${JSON.stringify(argument)}`);
    setField(fields, names, value, argument);
  }
  return fields;
}

function setField(fields: Fields, [name = '', ...rest]: readonly string[], value: string, argument: string): void {
  const there = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (rest.length === 0) {
    if (there !== undefined) throw new UsageProblem(`${JSON.stringify(argument)}: this field was given before`);
    fields[name] = value;
    return;
  }
  if (typeof there === 'string')
    throw new UsageProblem(`${JSON.stringify(argument)}: ${name} is a text, not an object`);
  const inner = there ?? {};
  fields[name] = inner;
  setField(inner, rest, value, argument);
}
