/** An element: its name, and its text or its children. No attributes: the directory writes none. */
export interface Element {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Element[];
}

// XML 1.0 §2.2, written for the `u` flag: an unpaired surrogate is no Char either.
const CHARS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-f]+));/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Reads what the directory writes, and throws at whatever XML 1.0 forbids: a character that is none, a
 * reference to nothing, `]]>` in text, tags that do not match, a second root, a DOCTYPE.
 */
export function readXml(document: string): Element {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!document.startsWith(declaration)) throw new SyntaxError('No declaration.');
  if (!CHARS.test(document)) throw new SyntaxError('A character that XML does not know.');
  const open: { name: string; text: string; children: Element[] }[] = [];
  let root: Element | undefined;
  for (const [token] of document.slice(declaration.length).matchAll(/<[^>]*>|[^<]+|</g)) {
    const [, end, name] = /^<(\/?)([A-Za-z_][\w.-]*)>$/.exec(token) ?? [];
    const inner = open.at(-1);
    if (name !== undefined && end === '') {
      if (root !== undefined) throw new SyntaxError('A second root.');
      open.push({ name, text: '', children: [] });
    } else if (name !== undefined) {
      open.pop();
      if (inner?.name !== name) throw new SyntaxError(`</${name}> ends nothing.`);
      const parent = open.at(-1);
      if (parent === undefined) root = inner;
      else parent.children.push(inner);
    } else if (token.startsWith('<')) {
      throw new SyntaxError(`No tag: ${token}`);
    } else if (inner !== undefined) {
      inner.text += readText(token);
    } else if (token.trim() !== '') {
      throw new SyntaxError('Text outside the root.');
    }
  }
  if (root === undefined || open.length > 0) throw new SyntaxError('The document breaks off.');
  return root;
}

function readText(raw: string): string {
  if (raw.includes(']]>')) throw new SyntaxError(']]> in text.');
  if (raw.replace(REFERENCE, '').includes('&')) throw new SyntaxError(`A bare & in ${raw}`);
  return raw
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(REFERENCE, (_, entity?: string, decimal?: string, hex?: string) => {
      if (entity !== undefined) return ENTITIES[entity] ?? '';
      const char = String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16));
      if (!CHARS.test(char)) throw new SyntaxError('A reference to no character.');
      return char;
    });
}

/** An element as the JSON value that it stands for: every leaf is text, an empty one an empty text. */
export function foldXml({ children, text }: Element): unknown {
  if (children.length === 0) return text;
  if (children.every(({ name }) => name === 'item')) return children.map(foldXml);
  return Object.fromEntries(children.map((child) => [child.name, foldXml(child)]));
}

/** A JSON value in the shape of {@link foldXml}. */
export function foldJson(value: unknown): unknown {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map(foldJson);
  const members = Object.entries(value).map(([name, member]) => [name, foldJson(member)]);
  return members.length === 0 ? '' : Object.fromEntries(members);
}
