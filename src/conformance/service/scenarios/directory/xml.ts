import { mediaType } from '../../../engine/rows.ts';
import { readXml, type XmlElement } from '../../../http/read-xml.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory } from '../../steps/directory.ts';

export const directoryXml = serviceScenario({
  id: 'directory-xml',
  title: 'The listing is requested as XML',
  safe: true,
  checks: {
    'well-formed': 'The answer is well-formed XML in UTF-8.',
    'no-doctype': 'The XML has no DOCTYPE.',
    'same-values': 'The XML has the values of the JSON.',
    'xml-type': 'The answer is application/xml or text/xml.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const answer = await directory.get('xml');
    const document = readXml(answer.text);
    const isUtf8 = !('problem' in document) && (document.encoding ?? 'utf-8') === 'utf-8';
    const problem = 'problem' in document ? document.problem : `encoding ${document.encoding}`;
    judge.table(answer, {
      'xml-type': mediaType('application/xml', 'text/xml'),
      'well-formed': { ok: answer.ok && isUtf8, seen: problem },
    });
    if ('problem' in document) return;
    const { hasDoctype, root } = document;
    const data = root.children.find(({ name }) => name === 'data');
    const missing = difference(leavesOf(directory.listing.member('data')), textsOf(data));
    judge.table(answer, {
      'no-doctype': { ok: !hasDoctype, seen: 'a DOCTYPE' },
      'same-values': { ok: missing.length === 0, seen: `no ${missing.slice(0, 5).join(', ')}` },
    });
  },
});

function descendants(element: XmlElement | undefined): readonly XmlElement[] {
  return (element?.children ?? []).flatMap((child) => [child, ...descendants(child)]);
}

function textsOf(element: XmlElement | undefined): readonly string[] {
  return descendants(element)
    .filter(({ children }) => children.length === 0)
    .map(({ text }) => text.trim());
}

/** All values that are neither lists, objects nor null, as text. */
function leavesOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value).trim()];
  return Object.values(value).flatMap(leavesOf);
}

/** What is wanted more often than it was found. */
function difference(wanted: readonly string[], found: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const text of found) left.set(text, (left.get(text) ?? 0) + 1);
  return wanted.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
