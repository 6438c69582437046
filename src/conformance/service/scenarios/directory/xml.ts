import { header, matches, mediaType } from '../../../engine/rows.ts';
import { isObject } from '../../../http/answer.ts';
import { readXml, type XmlElement } from '../../../http/read-xml.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf } from '../../steps/directory.ts';

export const directoryXml = serviceScenario({
  id: 'directory-xml',
  title: 'The listing is requested as XML',
  safe: true,
  checks: {
    'well-formed': 'The answer is well-formed XML in UTF-8.',
    'no-doctype': 'The XML has no DOCTYPE.',
    'same-values': 'The XML has the values of the JSON.',
    'meta-and-data': 'The root is `response` and has exactly `meta` and `data`.',
    items: 'The members of a list are elements named `item`.',
    'null-empty': 'A null is an empty element.',
    'xml-type': 'The answer is application/xml or text/xml.',
    'xml-charset': 'The answer is application/xml; charset=utf-8.',
    'callback-unread': 'A `callback` is ignored.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const answer = await directory.get('xml');
    const document = readXml(answer.text);
    const isUtf8 = !('problem' in document) && (document.encoding ?? 'utf-8') === 'utf-8';
    const problem = 'problem' in document ? document.problem : `encoding ${document.encoding}`;
    judge.table(answer, {
      'xml-type': mediaType('application/xml', 'text/xml'),
      'xml-charset': header('Content-Type', matches(/^application\/xml;\s*charset="?utf-8"?$/i)),
      'well-formed': { ok: answer.ok && isUtf8, seen: problem },
    });
    if ('problem' in document) return;
    const { hasDoctype, root } = document;
    const names = root.children.map(({ name }) => name).join(' ');
    const data = root.children.find(({ name }) => name === 'data');
    const lists = [data, ...descendants(data).filter(({ name }) => name === 'methods')];
    const odd = lists.flatMap((list) => list?.children ?? []).find(({ name }) => name !== 'item');
    const missing = difference(leavesOf(directory.listing.member('data')), textsOf(data));
    const isEnvelope = root.name === 'response' && names === 'meta data';
    judge.table(answer, {
      'no-doctype': { ok: !hasDoctype, seen: 'a DOCTYPE' },
      'meta-and-data': { ok: isEnvelope, seen: `\`${root.name}\` with ${names}` },
      items: { ok: odd === undefined, seen: `\`${odd?.name}\`` },
      'same-values': { ok: missing.length === 0, seen: `no ${missing.slice(0, 5).join(', ')}` },
    });

    const named = await directory.get('xml', `?callback=${world.invented.word()}`);
    judge.expect('callback-unread', !('problem' in readXml(named.text)) && named.ok, named);
    await nulls();

    async function nulls(): Promise<void> {
      const time = directory.find('/server/time.{format}');
      const asJson = time && (await directory.call(time.template));
      const inMeta = Object.entries(asJson === undefined ? {} : metaOf(asJson));
      const inData = asJson?.member('data');
      const members = [...inMeta, ...(isObject(inData) ? Object.entries(inData) : [])];
      const name = members.find(([, value]) => value === null)?.[0];
      const asXml = time && (await directory.call(time.template, 'xml'));
      if (name === undefined || asXml === undefined) {
        judge.skip('null-empty', 'No answer that was seen has a null.');
        return;
      }
      const read = readXml(asXml.text);
      const element =
        'problem' in read ? undefined : descendants(read.root).find((each) => each.name === name);
      const isEmpty = element?.text === '' && element.children.length === 0;
      const seen = element === undefined ? `no \`${name}\`` : `\`${name}\`: ${element.text}`;
      judge.table(asXml, { 'null-empty': { ok: isEmpty, seen } });
    }
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
