import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideCredentials } from '../../src/mcp/secrets/hide-credentials.ts';
import { SecretMask } from '../../src/mcp/secrets/secret-mask.ts';

const TOKEN = 'at_9rX-b_Zk3+/QmT7vLw==';
const JWT =
  'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJ1c3JfMSIsImV4cCI6MTc5MDAwMDAwMH0.kJ3v9Q2mZ8xW5rT1yU7iO0pA4sD6fG2h';

function hidden(text: string, ...secrets: string[]): string {
  const mask = new SecretMask();
  for (const secret of secrets) mask.add(secret);
  return mask.hide(text);
}

const percent = (text: string) => encodeURIComponent(text);
const everyPercent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicode = (text: string) =>
  [...text].map((one) => `\\u00${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const entities = (text: string) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join('');
const hexEntities = (text: string) =>
  [...text].map((one) => `&#x${one.charCodeAt(0).toString(16)};`).join('');

/** Ways in which a token comes back. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'in a sentence': (text) => `The token ${text} is not valid.`,
  'in JSON': (text) => JSON.stringify({ token: text }),
  'in JSON within JSON': (text) => JSON.stringify({ body: JSON.stringify({ token: text }) }),
  'with slashes escaped': (text) => text.replaceAll('/', '\\/'),
  'in a query': (text) => `https://evil.example/?t=${percent(text)}&x=1`,
  'in a query of a query': (text) => `https://evil.example/?u=${percent(percent(text))}`,
  'every character in percent': everyPercent,
  'every character as unicode': unicode,
  'as entities': entities,
  'as entities in hex': hexEntities,
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 of more, one byte before': (text) => Buffer.from(`x${text}yz`).toString('base64'),
  'base64 of more, two bytes before': (text) => Buffer.from(`xx${text}y`).toString('base64'),
  'base64 of a header': (text) => Buffer.from(`Bearer ${text}`).toString('base64url'),
  'base64 in a query': (text) => `?t=${percent(Buffer.from(`: ${text}`).toString('base64'))}`,
  hex: (text) => Buffer.from(text).toString('hex'),
  'HEX in a link': (text) => `/x/${Buffer.from(text).toString('hex').toUpperCase()}`,
};

/** Ways in which it comes back in pieces. */
const SPLIT: typeof FORMS = {
  'wrapped in lines': (text) => text.match(/.{1,7}/g)?.join('\n') ?? '',
  'wrapped in lines of JSON': (text) => JSON.stringify(text.match(/.{1,7}/g)?.join('\r\n')),
  'base64 of more, wrapped in lines': (text) =>
    Buffer.from(`Authorization: Bearer ${text} and more`)
      .toString('base64')
      .match(/.{1,19}/g)
      ?.join('\n') ?? '',
  'a character at a time': (text) => [...text].join(' '),
  'as a list': (text) => JSON.stringify(text.match(/.{1,7}/g)),
  'in two headers of one name': (text) => `<${text.slice(0, 9)}, ${text.slice(9)}>; rel=next`,
};

/** Whatever of it can still be used, read in every way that the mask knows. */
function readings(text: string): readonly string[] {
  const unescaped = text
    .replaceAll(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/\\+u00([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\\+(["\\/])/g, '$1');
  const joined = text.replaceAll(/\\[nr]|[\s",]/g, '');
  const words = `${unescaped} ${joined}`.match(/[\w+/=-]{8,}/g) ?? [];
  return [
    text,
    unescaped,
    joined,
    ...words.flatMap((word) => [
      Buffer.from(word, 'base64').toString('latin1'),
      Buffer.from(word, 'hex').toString('latin1'),
    ]),
  ];
}

describe('a secret in what is said', () => {
  it.each(Object.entries({ ...FORMS, ...SPLIT }))('is hidden %s', (_form, write) => {
    for (const secret of [TOKEN, JWT]) {
      const text = hidden(write(secret), secret);
      expect(readings(text).filter((one) => one.includes(secret))).toEqual([]);
      expect(text).toContain('[secret removed]');
    }
  });

  it('is hidden whatever it is made of and stands in', () => {
    const secrets = fc
      .string({ minLength: 12, maxLength: 60 })
      .filter((text) => /^[\w.~+/=:|!@#$*-]+$/.test(text));
    fc.assert(
      fc.property(
        secrets,
        fc.string({ maxLength: 20 }),
        fc.constantFrom(...Object.values(FORMS)),
        (secret, around, write) => {
          const text = hidden(`${around}${write(secret)}${around}`, secret);
          expect(text).not.toContain(secret);
          expect(text).toContain('[secret removed]');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is hidden in part where a JWT comes back without its signature', () => {
    const [head, body] = JWT.split('.');
    expect(hidden(`${head}.${body}.`, JWT)).toBe('[secret removed].[secret removed].');
  });

  it('leaves everything else as it is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        fc.pre(!text.includes(TOKEN));
        expect(hidden(text, TOKEN)).toBe(text);
      }),
    );
    const text = '100%25 of &#65; \\u0041 \\"quoted\\" 7%';
    expect(hidden(text, TOKEN)).toBe(text);
  });

  it('is no sequence of short words', () => {
    const text = 'one two, three';
    expect(hidden(text, 'onetwothree')).toBe(text);
  });

  it('takes nothing of ours where a service chose our sentence as its token', () => {
    const mask = new SecretMask();
    mask.add('Showtheuserthislinkandthiscodenowastheyare2');
    const text = 'Show the user this link and this code now, as they are 2';
    expect(mask.hideInOurs(text)).toBe(text);
    expect(mask.hide(text)).toBe('[secret removed]');
  });

  it('is no word of a few letters', () => {
    expect(hidden('a cat sat', 'cat')).toBe('a cat sat');
  });

  it('takes time that grows with the text alone', () => {
    const mask = new SecretMask();
    for (let n = 0; n < 50; n += 1) mask.add(`secret-number-${n}-of-many-${'x'.repeat(500)}`);
    const text = '%2525252525'.repeat(40_000);
    expect(mask.hide(text)).toBe(text);
  });
});

describe('a text that a hostile service chose', () => {
  const LENGTH = 128 * 1024;
  const long = (unit: string) => unit.repeat(LENGTH / unit.length);

  /** Milliseconds to take from a text what may not be shown, of an agent whose token is also the service's choice. */
  function timeOf(text: string): number {
    const mask = new SecretMask();
    mask.add(TOKEN);
    mask.add('a'.repeat(64_000));
    const start = performance.now();
    mask.hide(hideCredentials(text));
    return performance.now() - start;
  }

  /** Whether it takes no longer than plain text, one time of three: a busy machine halts some of them, not all. */
  function isQuick(text: string): boolean {
    const plain = Math.max(20, timeOf(long('b')));
    return [1, 2, 3].some(() => timeOf(text) / plain < 30);
  }

  it.each(
    [
      ...[
        '\\',
        ' \\',
        '"\\',
        '"',
        "'",
        ' ',
        '\n',
        ',',
        ';',
        '%',
        '%25',
        '%61',
        ' a',
        '25',
        '&',
        '&amp;',
      ],
      ...[
        '&#',
        '&#0',
        '&#x0',
        '\\u00',
        '\\x',
        '"token',
        '"token"',
        '"token":',
        '"token":"',
        'access_token=',
      ],
    ].map((unit) => [unit]),
  )('of %j again and again froze the server', (unit) => {
    expect(isQuick(long(unit))).toBe(true);
  });

  it.each([
    ['"token', '\\'],
    ['"token', ' '],
    ['"token":"', '\\'],
    ['"token":"a', 'a\\'],
    ['&#x', '0'],
    ['&', 'amp;'],
    ['%', '25'],
  ])('that begins with %j, and goes on with %j, did', (first, unit) => {
    expect(isQuick(first + long(unit))).toBe(true);
  });

  it('hides a credential in JSON within JSON, however deep', () => {
    let text = JSON.stringify({ access_token: TOKEN });
    for (let depth = 0; depth < 6; depth += 1) {
      expect(hideCredentials(text)).not.toContain(TOKEN);
      expect(hideCredentials(text)).toContain('[secret removed]');
      text = JSON.stringify({ body: text });
    }
  });
});
