import { SaxesParser } from 'saxes';

export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  /** The text of the element itself, without that of its children. */
  readonly text: string;
}

interface XmlDocument {
  readonly root: XmlElement;
  /** Whether it names a document type, which can bring entities along (attack A-34). */
  readonly hasDoctype: boolean;
  /** The encoding of the declaration, in lower case; undefined when it names none: UTF-8. */
  readonly encoding: string | undefined;
}

interface Open {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/** Reads XML 1.0 strictly: what is not well-formed is no document, and `problem` says why. */
export function readXml(text: string): XmlDocument | { readonly problem: string } {
  const parser = new SaxesParser({});
  const path: Open[] = [];
  let root: XmlElement | undefined;
  let problem: string | undefined;
  let hasDoctype = false;
  let encoding: string | undefined;
  parser.on('error', ({ message }) => {
    problem ??= message;
  });
  parser.on('xmldecl', (declaration) => {
    encoding = declaration.encoding?.toLowerCase();
  });
  parser.on('doctype', () => {
    hasDoctype = true;
  });
  parser.on('opentag', ({ name }) => {
    path.push({ name, children: [], text: '' });
  });
  const addText = (more: string) => {
    const open = path.at(-1);
    if (open !== undefined) open.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = path.pop();
    if (closed === undefined) return;
    const parent = path.at(-1);
    if (parent === undefined) root = closed;
    else parent.children.push(closed);
  });
  parser.write(text).close();
  if (problem !== undefined || root === undefined) return { problem: problem ?? 'no element' };
  return { root, hasDoctype, encoding };
}
