import type { Answer } from '../../../http/answer.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { Directory, metaOf } from '../../steps/directory.ts';

const LONGEST = 64;

/** Names that are none: what a caller would have run, or written into a page. */
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

/** Of letters and digits alone, as a Flash file can be (Rosetta Flash). */
const FLASH = `CWSMIKI0hCD0Up0IZUnnnnnnnnnnnnnnnnnnnUU5nnnnnn3Snn7iiudIbEAt333swW0ss${'x'.repeat(120)}`;

export const directoryJsonp = serviceScenario({
  id: 'directory-jsonp',
  title: 'A script asks for the listing under a name of its own',
  safe: true,
  checks: {
    wrapped: 'The JSON is wrapped in the function that `callback` names.',
    form: 'The answer is `/**/NAME(…);`.',
    script: 'It is text/javascript.',
    'not-sniffed': 'It is a script by its media type, and says nosniff.',
    'first-bytes': 'It does not begin with what the caller chose.',
    attachment: 'It is served as an attachment.',
    escaped: 'It has no line separator and no `</`.',
    'bad-names': 'What is no name is not repeated.',
    'bad-names-refused': 'It is answered 400 with the error envelope.',
    'name-length': 'A name has at most 64 characters.',
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
    const start = { seen: `\`${text.slice(0, 60)}…\``, exchange };
    const ok = judge.expect('wrapped', isJson(wrapped) && answer.status === 200, start.seen, {
      expected: `the JSON within ${name}(…)`,
      exchange: start.exchange,
    });
    if (!ok) {
      const reason = 'The answer is no call of the function that was named.';
      const about = ['form', 'script', 'not-sniffed', 'attachment', 'escaped'] as const;
      judge.skip(about, reason);
    } else {
      judge.expect('form', text.startsWith(`/**/${name}(`) && text.endsWith(');'), start.seen, {
        expected: `/**/${name}(…);`,
        exchange: start.exchange,
      });
      judge.expect(
        'script',
        answer.mediaType === 'text/javascript',
        answer.header('content-type') ?? 'none',
        { exchange },
      );
      const nosniff = /^nosniff$/i.test(answer.header('x-content-type-options') ?? '');
      judge.expect(
        'not-sniffed',
        nosniff && /javascript/.test(answer.mediaType),
        `${answer.mediaType || 'no type'}, ${nosniff ? '' : 'no '}nosniff`,
        { exchange },
      );
      judge.expect(
        'attachment',
        /^attachment\b/i.test(answer.header('content-disposition') ?? ''),
        answer.header('content-disposition') ?? 'none',
        { exchange },
      );
      judge.expect('escaped', !/[\u2028\u2029]|<\//.test(text), 'one of them as it is', {
        exchange,
      });
    }
    const flash = await call(FLASH);
    for (const [asked, each] of [
      [name, answer],
      [FLASH, flash],
    ] as const) {
      judge.expect(
        'first-bytes',
        !each.text.startsWith(asked.slice(0, 8)),
        `\`${each.text.slice(0, 20)}…\``,
        { exchange: each.exchange },
      );
    }
    for (const bad of badNames(invented.word())) {
      const refused = await call(bad);
      judge.expect(
        'bad-names',
        !refused.text.includes(bad),
        // Where nobody takes it for a script or for markup, it is a matter of style.
        refused,
        { expected: `an answer without ${JSON.stringify(bad)}`, warn: !isDangerous(refused, bad) },
      );
      judge.expect('bad-names-refused', isRefusal(refused), refused, {
        expected: `400 with \`meta\` for ${JSON.stringify(bad)}`,
      });
    }
    const [longest, longer] = [
      await call('a'.repeat(LONGEST)),
      await call('a'.repeat(LONGEST + 1)),
    ];
    judge.expect(
      'name-length',
      longest.status === 200 && isRefusal(longer),
      longest.status === 200 ? longer : longest,
      { expected: `a script for ${LONGEST} characters, and 400 for one more` },
    );
  },
});

function isDangerous({ mediaType }: Answer, name: string): boolean {
  if (/json|xml|text\/plain/.test(mediaType)) return false;
  return !/html/.test(mediaType) || name.includes('<');
}

function isRefusal(answer: Answer): boolean {
  return answer.status === 400 && 'status' in metaOf(answer);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
