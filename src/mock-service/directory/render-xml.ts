import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';

/** What an answer is made of, with the names of the wire. */
export type Data = null | number | string | readonly Data[] | { readonly [member: string]: Data };

/** What no XML 1.0 document can hold is shown as this. */
const REPLACEMENT = '\ufffd';

/**
 * An answer as XML: the root `response`, an element for each member, `item` for each entry of a list,
 * an empty element for null and for what is empty. Loaded when it is first asked for.
 */
export async function renderXml(answer: Data): Promise<string> {
  const { create } = await import('xmlbuilder2');
  const document = create({
    version: '1.0',
    encoding: 'UTF-8',
    invalidCharReplacement: REPLACEMENT,
  });
  append(document, 'response', answer);
  return document.end({ prettyPrint: true, allowEmptyTags: true });
}

function append(parent: XMLBuilder, name: string, data: Data): void {
  const element = parent.ele(name);
  if (data === null) return;
  if (typeof data !== 'object') element.txt(escaped(String(data)));
  else if (isList(data)) for (const entry of data) append(element, 'item', entry);
  else for (const [member, value] of Object.entries(data)) append(element, member, value);
}

/**
 * xmlbuilder2 leaves an ampersand alone where it takes it for a reference: one that is written out
 * before stays as it is meant. A bare CR would be read as a line feed (XML 1.0 §2.11).
 */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('\r', '&#13;');
}

function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}
