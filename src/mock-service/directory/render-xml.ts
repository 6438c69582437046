import type { XMLElement } from 'xmlbuilder';

/** What an answer is made of, with the names of the wire. */
export type Data = null | number | string | readonly Data[] | { readonly [member: string]: Data };

/** What no XML 1.0 document can hold is shown as this. */
const REPLACEMENT = '\ufffd';

/**
 * An answer as XML: the root `response`, an element for each member, `item` for each entry of a list,
 * an empty element for null and for what is empty. Loaded when it is first asked for.
 */
export async function renderXml(answer: Data): Promise<string> {
  const { create } = await import('xmlbuilder');
  const root = create('response', {
    version: '1.0',
    encoding: 'UTF-8',
    invalidCharReplacement: REPLACEMENT,
  });
  fill(root, answer);
  return root.end({ pretty: true, allowEmpty: true });
}

function fill(element: XMLElement, data: Data): void {
  if (data === null) return;
  // With half of a surrogate pair, xmlbuilder replaces the character before it as well.
  if (typeof data !== 'object') element.txt(String(data).toWellFormed());
  else if (isList(data)) for (const entry of data) fill(element.ele('item'), entry);
  else for (const [member, value] of Object.entries(data)) fill(element.ele(member), value);
}

function isList(data: Data): data is readonly Data[] {
  return Array.isArray(data);
}
