import { describe, expect, it } from 'vitest';
import { processFingerprint } from '../../src/runtime/index.ts';
import { Redactor } from '../../src/traffic/redactor.ts';
import { SeenBody } from '../../src/traffic/seen-body.ts';
import { showBody } from '../../src/traffic/show-body.ts';

/** Nothing but its name tells that it is one. */
const OPAQUE = 'Zx9opaqueSecret77';
/** Its form tells it. */
const TOKEN = 'clm_Ab3dEfGh1jKlMnOpQrStUv';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlMTIzNDU2Nzg5MA';
const SECRETS = [OPAQUE, TOKEN.slice(4), JWT.slice(-20)];

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

async function shown(text: string, type: string) {
  const headers = new Headers({ 'content-type': type });
  const body = new SeenBody(true);
  body.take(text);
  return showBody(body, headers, new Redactor(processFingerprint), false);
}

function expectNone(output: unknown): void {
  let text = JSON.stringify(output);
  for (let layer = 0; layer < 4; layer += 1) {
    for (const secret of SECRETS) expect(text).not.toContain(secret);
    text = text.replace(/%([0-7][\da-f])/gi, (_all, hex) =>
      String.fromCharCode(Number(`0x${hex}`)),
    );
  }
}

const escaped = (text: string) =>
  [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
const within = (depth: number): string =>
  JSON.stringify({ a: depth === 0 ? { client_secret: OPAQUE } : within(depth - 1) });

describe('a body', () => {
  it.each<[what: string, body: string, type: string]>([
    ['a token that is a form', TOKEN, FORM],
    ['a JWT that is a form', JWT, FORM],
    ['a token after an escape', `see\\n${TOKEN}`, FORM],
    ['JSON that is a form', JSON.stringify({ client_secret: OPAQUE }), FORM],
    ['a field in brackets', `user[password]=${OPAQUE}&client_secret[]=${OPAQUE}`, FORM],
    ['JSON in a field', `data=${encodeURIComponent(within(0))}`, FORM],
    ['an authorization code', `code=${OPAQUE}`, FORM],
    ...['credential', 'api_key', 'otp', 'refresh_token'].map(
      (name) => [name, JSON.stringify({ [name]: OPAQUE }), JSON_TYPE] as [string, string, string],
    ),
    [
      'an object of a refresh token',
      JSON.stringify({ refresh_token: { value: OPAQUE } }),
      JSON_TYPE,
    ],
    [
      'names in camel case',
      JSON.stringify({ clientSecret: OPAQUE, accessToken: OPAQUE }),
      JSON_TYPE,
    ],
    ['names with a path', JSON.stringify({ 'user.newPassword': OPAQUE }), JSON_TYPE],
    ['JSON in JSON', within(3), JSON_TYPE],
    ['a private key', JSON.stringify({ kty: 'EC', x: 'x', d: OPAQUE }), JSON_TYPE],
    ['JSON without its end', `{"client_secret":"${OPAQUE}`, JSON_TYPE],
    ['JSON with a number', `{"password": ${OPAQUE}, `, JSON_TYPE],
    ['JSON with an array', `{"client_secret":["${OPAQUE}"],`, JSON_TYPE],
    ['JSON with escapes', `{"client\\u005fsecret":"${OPAQUE}", "a": "\\n${TOKEN}"`, JSON_TYPE],
    ['JSON with other quotes', `{'client_secret':'${OPAQUE}'}`, JSON_TYPE],
    ['lines of JSON', `{"a":1}\n{"client_secret":"${OPAQUE}"}`, 'application/x-ndjson'],
    ['YAML', `user:\n  password: ${OPAQUE}\n`, 'application/yaml'],
    ['XML', `<a><client_secret>${OPAQUE}</client_secret></a>`, 'application/xml'],
    ['attributes', `<a client_secret='${OPAQUE}'/>`, 'application/xml'],
    ['a script', `var clientSecret = '${OPAQUE}';`, 'text/javascript'],
    ['a page', `<input name="user_code" value="${OPAQUE}"/>`, 'application/xhtml+xml'],
    [
      'parts',
      `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${OPAQUE}\r\n--b--`,
      'multipart/form-data',
    ],
    ['a header', `Authorization: Bearer ${OPAQUE}`, 'text/plain'],
    ['a password in a URL', `see https://user:${OPAQUE}@host/path`, 'text/plain'],
    ['escapes before it', `Bearer%20${JWT} %22${TOKEN}`, 'text/plain'],
    ['nothing but escapes', escaped(TOKEN), 'text/plain'],
    ['a form that is cut', `user[password]=${OPAQUE}&a=${'x+'.repeat(9_000)}`, FORM],
  ])('shows no secret in %s', async (_what, body, type) => {
    expectNone(await shown(body, type));
  });

  it('stays as it is where there is no secret', async () => {
    const text = 'The claim_token: is missing? {"a": "b\\n%41"} a=b=c, see https://a/b?c=%2Fd';
    expect((await shown(text.replace('claim_token: ', ''), 'text/plain')).body).toBe(
      text.replace('claim_token: ', ''),
    );
    const metadata = { identity_assertion: { assertion_types_supported: ['urn:a:id-jag'] } };
    expect((await shown(JSON.stringify(metadata), JSON_TYPE)).body).toEqual(metadata);
    const nested = { a: '{"b": [1]}' };
    expect((await shown(JSON.stringify(nested), JSON_TYPE)).body).toEqual(nested);
  });

  it('takes no longer for one long word than for many short ones', async () => {
    const fastest = async (body: string) => {
      const times: number[] = [];
      for (let run = 0; run < 3; run += 1) {
        const begin = performance.now();
        await shown(body, 'text/plain');
        times.push(performance.now() - begin);
      }
      return Math.min(...times);
    };
    const words = await fastest('x '.repeat(10_000));
    expect(await fastest(`${'x'.repeat(16_000)} ${'y'.repeat(1_000)}`)).toBeLessThan(50 * words);
  });

  it('has one fingerprint for a secret, however often it is escaped', async () => {
    const fingerprint = processFingerprint(OPAQUE);
    const redactor = new Redactor(processFingerprint);
    let url = `/a?client_secret=${OPAQUE}`;
    for (let layer = 0; layer < 3; layer += 1) {
      expect(redactor.url(url)).toContain(fingerprint);
      url = `/a?u=${encodeURIComponent(url)}`;
    }
  });
});

describe('a code that was given out', () => {
  const redactorKnowing = (...codes: string[]) => {
    const redactor = new Redactor(processFingerprint);
    for (const code of codes) redactor.body({ user_code: code }, true);
    return redactor;
  };

  it.each([
    '/claimWDJBMJHT',
    '/claim-WDJB-MJHT-now',
    '/c_WDJBMJHT_012345_x?q=WDJBMJHTz#_WDJBMJHT',
    'https://mock.test/device/xWDJBMJHTx',
  ])('is shown in no longer word of %s, nor of the header that leads there', (url) => {
    const redactor = redactorKnowing('WDJB-MJHT', '012345');
    const { location } = redactor.headers(new Headers({ location: url }), true);
    for (const shown of [redactor.url(url), location]) {
      expect(shown).toContain(processFingerprint('WDJBMJHT'));
      expect(shown).not.toMatch(/WDJB|MJHT|012345/);
    }
  });

  it('is not seen in a longer number, nor in what stands for a secret', () => {
    const redactor = redactorKnowing('012345');
    for (const url of ['/orders/90123456', `/x/${processFingerprint('other')}`]) {
      expect(redactor.url(url)).toBe(url);
    }
  });
});

describe('a URL', () => {
  it.each([
    `/a?%22${TOKEN}%22`,
    `/a?Bearer%20${JWT}`,
    `/a?${escaped(TOKEN)}`,
    `/a?user[password]=${OPAQUE}`,
    `/a?user%5Bpassword%5D=${OPAQUE}`,
    `/a?client_secret=a'b,c;d?${OPAQUE}`,
    `/a?b=client_secret=${OPAQUE}`,
    `/a?accessToken=${OPAQUE}&code=${OPAQUE}`,
    `/a?u=%ff%3Fclient_secret%3D${OPAQUE}`,
    `/a;client_secret=${OPAQUE}?b#access_token=${OPAQUE}`,
    `/a?u=${encodeURIComponent(encodeURIComponent(encodeURIComponent(`/?token=${OPAQUE}`)))}`,
    `/a?u=${[1, 2, 3, 4, 5].reduce((all) => encodeURIComponent(all), `/?token=${OPAQUE}`)}`,
    `/${encodeURIComponent(escaped(TOKEN))}/b`,
  ])('shows no secret in %s', (path) => {
    const redactor = new Redactor(processFingerprint);
    for (const url of [path, `https://u:${OPAQUE}@mock.test${path}`]) {
      const output = redactor.url(url);
      expectNone(output);
      expect(output.includes('?')).toBe(path.includes('?'));
      expect(new URL(output.replace('…@', ''), 'https://mock.test').origin).toBe(
        'https://mock.test',
      );
    }
  });
});

it.each([
  ['cookie', `${TOKEN}=1`],
  ['x-client-secret', OPAQUE],
  ['x-amz-security-token', OPAQUE],
  ['x-authorization', OPAQUE],
  ['link', `<https://h/x?client_secret=${OPAQUE}>; rel=next`],
])('shows no secret in the header %s', (name, value) => {
  const headers = new Headers({ [name]: value });
  expectNone(new Redactor(processFingerprint).headers(headers, false));
});

describe('a secret that an answer gives out', () => {
  const CODE = 'WDJB-MJHT';
  const links = {
    verification_uri: `https://service.example/device/${CODE}`,
    short_uri: `https://service.example/device/${CODE.replace('-', '')}`,
    escaped_uri: 'https://service.example/device/WDJB%2DMJHT',
    note: `Type ${CODE} there.`,
  };

  it.each([
    ['after', { ...links, user_code: CODE }],
    ['before', { user_code: CODE, ...links }],
    ['in a block of its own, after', { claim: links, codes: [{ user_code: CODE }] }],
  ])('is hidden in members that its own stands %s', (_where, body) => {
    const shown = new Redactor(processFingerprint).body(body, true);
    const text = JSON.stringify(shown);
    expect(text).not.toMatch(/WDJB|MJHT/);
    expect(text.match(/secret~[\w-]{8}/g)).toHaveLength(5);
    expect(new Set(text.match(/secret~[\w-]{8}/g)).size).toBe(1);
    expect(text).toContain('https://service.example/device/');
  });

  it('changes nothing of what has none of it', () => {
    const body = { registration_id: 'reg_1', note: '100%25 of it', list: [1, null, true, 'abc'] };
    const shown = new Redactor(processFingerprint).body({ ...body, user_code: CODE }, true);
    expect(shown).toMatchObject(body);
  });
});

describe('a registration that says how it was made', () => {
  const body = { type: 'anonymous', credential: { source: 'anonymous', value: OPAQUE } };

  it('keeps the words of the protocol, there and wherever they come again', () => {
    const redactor = new Redactor(processFingerprint);
    expect(redactor.body(body, true)).toMatchObject({
      type: 'anonymous',
      credential: { source: 'anonymous', value: expect.stringContaining('secret~') },
    });
    expect(redactor.body({ type: 'anonymous', credential: 'anonymous' }, true)).toEqual({
      type: 'anonymous',
      credential: 'anonymous',
    });
    expectNone(redactor.text(`seen: ${OPAQUE}`));
  });
});

it('shows no signature of a JWS in JSON, and keeps what is called so elsewhere', () => {
  const redactor = new Redactor(processFingerprint);
  const signature = 's'.repeat(86);
  expectNoText(
    redactor.body({ payload: 'e30', signatures: [{ protected: 'e', signature }] }, false),
  );
  expectNoText(redactor.body({ payload: 'e30', protected: 'e', signature }, false));
  expect(redactor.body({ signature: 'of the author' }, false)).toEqual({
    signature: 'of the author',
  });
  function expectNoText(shown: unknown) {
    expect(JSON.stringify(shown)).not.toContain('sss');
  }
});
