/** JSON text with one value on each line. Numbers and texts stay as they came: nothing is parsed. Other text is returned unchanged. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text;
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|\s+|[^\s{}[\],:"]+/g, (token, at: number) => {
    if (/^\s/.test(token)) return '';
    if (token === ',') return `,${line()}`;
    if (token === ':') return ': ';
    if (token === '{' || token === '[') {
      if (/^\s*[}\]]/.test(text.slice(at + 1, at + 50))) return token;
      depth += 1;
      return `${token}${line()}`;
    }
    if (token === '}' || token === ']') {
      if (/[{[]\s*$/.test(text.slice(Math.max(0, at - 50), at))) return token;
      depth -= 1;
      return `${line()}${token}`;
    }
    return token;
  });
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
