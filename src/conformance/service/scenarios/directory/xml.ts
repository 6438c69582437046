import { isObject } from '../../../http/answer.ts';
import { readXml, type XmlElement } from '../../../http/read-xml.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf } from '../../steps/directory.ts';

export const directoryXml = serviceScenario({
  id: 'directory-xml',
  title: 'Somebody asks for the listing as XML',
  safe: true,
  checks: {
    'well-formed': 'The answer is well-formed XML in UTF-8.',
    'no-doctype': 'It has no document type.',
    'same-values': 'It carries the values of the JSON.',
    'meta-and-data': 'Its root is `response` and has exactly `meta` and `data`.',
    items: 'The members of a list are elements named `item`.',
    'null-empty': 'A null is an empty element.',
    'xml-type': 'The answer is application/xml or text/xml.',
    'xml-charset': 'The answer is application/xml; charset=utf-8.',
    'callback-unread': 'A callback is left unread.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const answer = await directory.get('xml');
    const type = answer.header('content-type') ?? 'none';
    judge.expect('xml-type', ['application/xml', 'text/xml'].includes(answer.mediaType), type, {
      exchange: answer.exchange,
    });
    judge.expect('xml-charset', /^application\/xml;\s*charset="?utf-8"?$/i.test(type), type, {
      exchange: answer.exchange,
    });
    const document = readXml(answer.text);
    const isUtf8 = !('problem' in document) && (document.encoding ?? 'utf-8') === 'utf-8';
    judge.expect(
      'well-formed',
      answer.ok && isUtf8,
      'problem' in document ? document.problem : `encoding ${document.encoding}`,
      { exchange: answer.exchange },
    );
    if ('problem' in document) return;
    const { exchange } = answer;
    judge.expect('no-doctype', !document.hasDoctype, 'a DOCTYPE', { exchange });
    const { root } = document;
    const names = root.children.map(({ name }) => name);
    judge.expect(
      'meta-and-data',
      root.name === 'response' && names.join(' ') === 'meta data',
      `\`${root.name}\` with ${names.join(', ')}`,
      { exchange },
    );
    const data = root.children.find(({ name }) => name === 'data');
    const lists = [data, ...descendants(data).filter(({ name }) => name === 'methods')];
    const odd = lists.flatMap((list) => list?.children ?? []).find(({ name }) => name !== 'item');
    judge.expect('items', odd === undefined, `\`${odd?.name}\``, { exchange });
    const missing = difference(leavesOf(directory.listing.member('data')), textsOf(data));
    judge.expect(
      'same-values',
      missing.length === 0,
      `nothing of ${missing.slice(0, 5).join(', ')}`,
      { exchange },
    );

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
      judge.expect(
        'null-empty',
        element?.text === '' && element.children.length === 0,
        element === undefined ? 'no such element' : `\`${element.text}\``,
        { expected: `\`${name}\` as an empty element`, exchange: asXml.exchange },
      );
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

/** What is no list and no object, as text; null is none. */
function leavesOf(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [String(value).trim()];
  return Object.values(value).flatMap(leavesOf);
}

/** What the one has more often than the other. */
function difference(wanted: readonly string[], found: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const text of found) left.set(text, (left.get(text) ?? 0) + 1);
  return wanted.filter((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
