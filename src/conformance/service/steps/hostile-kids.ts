import type { Invented } from '../../engine/invented.ts';

/** Kids that name no key of a key set. The word differs from token to token. */
export const HOSTILE_KIDS: readonly (readonly [what: string, kid: (word: string) => unknown])[] = [
  ['leads to another file', () => '../../../../dev/null'],
  ['is a query', (word) => `${word}' OR '1'='1`],
  ['is a URL', (word) => `https://${word}.example/${word}.pem`],
  ['is a number', () => 0],
  ['is null', () => null],
  ['is a list', (word) => [word]],
  ['is empty', () => ''],
  ['is very long', (word) => word.repeat(500)],
  ['holds a null character', (word) => `${word}\u0000b`],
  ['is a property of every object', () => '__proto__'],
];

/** Kids by which a broken lookup finds a key that anybody can know. */
export const GUESSED_KEYS: readonly (readonly [
  what: string,
  guess: (invented: Invented) => { readonly kid: string; readonly secret: string },
])[] = [
  ['an empty file', () => ({ kid: '../../dev/null', secret: '' })],
  [
    'an empty file, from deep folders',
    () => ({ kid: '../../../../../../../../dev/null', secret: '' }),
  ],
  ['an empty file, by its full path', () => ({ kid: '/dev/null', secret: '' })],
  ['the answer of a query', (invented) => queried(invented, '--')],
  ['the answer of a query, with a space at its end', (invented) => queried(invented, '-- ')],
];

/** A kid that makes a query answer with a secret of the caller (CWE-89). */
function queried(invented: Invented, end: string) {
  const secret = invented.word();
  const union = invented.pick(['UNION SELECT', 'UNION ALL SELECT', 'union select']);
  return { kid: `${invented.word()}' ${union} '${secret}'${end}`, secret };
}
