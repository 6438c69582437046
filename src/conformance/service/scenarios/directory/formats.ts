import { header, matches, mediaType } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readXml, type XmlElement } from '../../../http/read-xml.ts';
import { serviceScenario } from '../../service-world.ts';
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

/** Names that are no function names, but code or markup that an attacker would have run. */
const badNames = (word: string): readonly string[] => [
  `${word}(1)//`,
  `${word};b`,
  `</script><script>${word}`,
  `${word} b`,
  `1${word}`,
  `${word}.`,
  `.${word}`,
  `${word}'b`,
  `${word}"b`,
  `${word}\u2028b`,
  `${word}\nb`,
  `${word}[0]`,
  `${word}\`b\``,
];

/** A Flash file of letters and digits alone, as one can be (Rosetta Flash). */
const FLASH = `CWSMIKI0hCD0Up0IZUnnnnnnnnnnnnnnnnnnnUU5nnnnnn3Snn7iiudIbEAt333swW0ss${'x'.repeat(120)}`;

const HARMLESS = 'Nothing in the answer runs what the caller chose: the echo is a matter of style.';

export const directoryJsonp = serviceScenario({
  id: 'directory-jsonp',
  title: 'The listing is requested as JSONP',
  safe: true,
  checks: {
    wrapped: 'The JSON is wrapped in the function that `callback` names.',
    'not-sniffed': 'The answer has a JavaScript media type and X-Content-Type-Options: nosniff.',
    'first-bytes': 'The answer does not begin with bytes that the caller chose.',
    attachment: 'The answer has Content-Disposition: attachment.',
    escaped: 'U+2028, U+2029 and `</` are escaped in the answer.',
    'bad-names': 'A `callback` that is no function name is not echoed.',
  },
  async run(judge, world) {
    const directory = await Directory.open(world);
    const call = (name: string) => directory.get('json', `?callback=${encodeURIComponent(name)}`);
    const { invented } = world;
    const name = `${invented.word()}.${invented.word()}.$${invented.word()}_1`;
    const answer = await call(name);
    const { exchange, text } = answer;
    const inner = new RegExp(
      `^\\s*(?:/\\*.*?\\*/)?\\s*${name.replace(/[.$]/g, '\\$&')}\\((.*)\\)\\s*;?\\s*$`,
      's',
    );
    const wrapped = inner.exec(text)?.[1] ?? '';
    const nosniff = /^nosniff$/i.test(answer.header('x-content-type-options') ?? '');
    const seen = `\`${text.slice(0, 60)}…\``;
    const more = { expected: `the JSON within ${name}(…)`, exchange };
    if (judge.expect('wrapped', isJson(wrapped) && answer.status === 200, seen, more)) {
      judge.table(answer, {
        'not-sniffed': {
          ok: nosniff && /javascript/.test(answer.mediaType),
          seen: `${answer.mediaType || 'no type'}, ${nosniff ? '' : 'no '}nosniff`,
        },
        attachment: header('Content-Disposition', matches(/^attachment\b/i)),
        escaped: { ok: !/[\u2028\u2029]|<\//.test(text), seen: 'one of them unescaped' },
      });
    } else {
      // What is echoed nowhere when it is right is not kept out when it is wrong.
      return;
    }
    const flash = await call(FLASH);
    for (const [asked, each] of [
      [name, answer],
      [FLASH, flash],
    ] as const) {
      const first = `\`${each.text.slice(0, 20)}…\``;
      const isOwn = !each.text.startsWith(asked.slice(0, 8));
      judge.table(each, { 'first-bytes': { ok: isOwn, seen: first } });
    }
    for (const bad of badNames(invented.word())) {
      const refused = await call(bad);
      const reading = isDangerous(refused, bad) ? undefined : HARMLESS;
      judge.table(
        refused,
        {
          'bad-names': { ok: !refused.text.includes(bad), reading },
        },
        { case: JSON.stringify(bad) },
      );
    }
  },
});

/** Whether it runs what the caller chose: a name with a dot too many is a syntax error. */
function isDangerous({ mediaType }: Answer, name: string): boolean {
  if (/json|xml|text\/plain/.test(mediaType)) return false;
  return /html/.test(mediaType) ? name.includes('<') : /[()<;`]/.test(name);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
