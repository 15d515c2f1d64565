import { type ContentMeter, contentBytes } from './content-limits.ts';
import { checkFieldName } from './field-name.ts';
import { MalformedRequest, quoted } from './malformed-request.ts';
import { Members } from './parsed-value.ts';

/**
 * Parses a raw query string (decisions 2.2, 2.3). Names and values are percent-decoded, `+` is a space, and an empty
 * value counts as absent. A name without `=` has an empty value. An empty text between two `&` is ignored.
 * @throws MalformedRequest for a bad escape, invalid UTF-8, a forbidden name, a name that appears twice, or a query over
 *   the limits of decisions 2.6
 */
export function parseQuery(query: string, meter: ContentMeter): Members {
  if (!URL_CHARACTERS.test(query))
    throw new MalformedRequest('the query holds a character that must be percent-encoded');
  const fields = new Members();
  const seen = new Set<string>();
  for (const parameter of query.split('&')) {
    if (parameter === '') continue;
    meter.member();
    const equals = parameter.indexOf('=');
    const name = decode(equals === -1 ? parameter : parameter.slice(0, equals));
    checkFieldName(name, true);
    if (seen.has(name)) throw new MalformedRequest(`query parameter ${quoted(name)} appears twice`);
    seen.add(name);
    const value = equals === -1 ? '' : decode(parameter.slice(equals + 1));
    if (value === '') continue;
    meter.pair(contentBytes(name), contentBytes(value));
    fields.add(name, value);
    fields.isHigh = true;
  }
  return fields;
}

/** Only visible ASCII, because servers and proxies read other characters differently. */
const URL_CHARACTERS = /^[\x21-\x7e]*$/;

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new MalformedRequest(`the query holds a bad percent-encoding: ${quoted(text)}`);
  }
}
