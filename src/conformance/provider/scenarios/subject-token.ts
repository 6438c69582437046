import { ID_JAG_TOKEN_TYPE, MEDIA_TYPE, MINUTE } from '../../../protocol/index.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import { encodePart } from '../../jwt/forge.ts';
import { type FormValues, formBody } from '../provider-client.ts';
import { providerScenario } from '../provider-world.ts';
import { type Forgery, forgeriesOf, macsOf, notGood } from '../steps/forged-id-tokens.ts';
import { isMinted, nothingMinted, ofRefusal, refusedBy } from '../steps/rows.ts';

const NONE = ['none', 'None', 'NONE', 'nOnE'];

export const subjectToken = providerScenario({
  id: 'subject-token',
  title: 'An agent presents an invalid ID token',
  checks: {
    forged: 'An ID token that the provider did not sign is refused.',
    unsigned: 'An ID token with the alg none, in any spelling, is refused.',
    kinds: 'Another JWT of the provider is refused as an ID token.',
    'other-client': 'An ID token of another client is refused.',
    'odd-members': 'A token with deeply nested, huge or unknown members is refused, without a 5xx.',
    code: 'An invalid subject token is answered invalid_grant or invalid_request.',
  },
  resting: { 'subject-token.forged': ['unsigned', 'odd-members'] },
  blockedBy: ['mint.minted'],
  dangerous: true,
  async run(judge, world) {
    const { invented } = world;
    world.client.needExchange();
    const audience = world.audience().issuer;
    const session = await world.session();
    // The user has consented, so only the token can be refused.
    const idJag = await world.idJag(session, audience);
    const [, payload = '', signature = ''] = session.idToken.split('.');
    const jwt = world.open(session.idToken);
    const { header } = jwt;
    const forgeries: readonly Forgery[] = [
      ...forgeriesOf(jwt, session.idToken, world.elsewhere),
      ...macsOf(jwt, await world.keySet()),
      ['a word', invented.word()],
    ];
    const mintBy = (token: string, what: string) =>
      world.recorder.oddly(`an ID token: ${what}`, () => world.client.mint(token, audience));
    for (const [what, token] of forgeries) {
      const answer = await mintBy(token, what);
      const rows = { forged: nothingMinted(world.breaking), code: notGood };
      judge.table(answer, rows, { case: what });
    }
    const refused = refusedBy(world.breaking);
    for (const alg of NONE) {
      for (const end of ['', signature]) {
        const token = `${encodePart({ ...header, alg })}.${payload}.${end}`;
        const what = `alg ${alg}${end === '' ? ', without a signature' : ''}`;
        const answer = await mintBy(token, what);
        judge.table(answer, { unsigned: refused }, { case: what });
      }
    }
    for (const type of [undefined, ID_JAG_TOKEN_TYPE]) {
      const answer = await world.client.mint(idJag, audience, {
        ...(type !== undefined && { subject_token_type: type }),
      });
      judge.table(answer, { kinds: refused });
    }
    const other = await world.client.mint(session.idToken, audience, {
      client_id: invented.token(),
    });
    judge.table(other, { 'other-client': refused });
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
    const odd = invented.member();
    const oddities = [
      `{"alg":"ES256","typ":"JWT","${odd}":1,"__proto__":{"alg":"none"}}`,
      `{"alg":"ES256","${odd}":${deep}}`,
      `{"alg":"ES256","${odd}":1e999999}`,
    ];
    for (const head of oddities) {
      const token = `${encodePart(head)}.${payload}.${signature}`;
      const answer = await mintBy(token, `a header ${head.slice(0, 60)}`);
      // Where every wrong token is a 5xx, that of an odd one has the same cause.
      const survived = { ok: answer.refused || world.breaking.isKnown };
      judge.table(answer, { 'odd-members': ofRefusal(() => survived) });
    }
  },
});

/** Older than any sign-in that services accept (wire contract: 60 minutes). */
const STALE = 125 * MINUTE;
const SKEW = 2 * MINUTE;

export const sessionAge = providerScenario({
  id: 'session-age',
  title: 'A sign-in gets old',
  checks: {
    'sign-in-time-kept': 'A later ID-JAG has the auth_time of the first one.',
    stale:
      'After an old sign-in a mint is answered insufficient_user_authentication with max_age or acr_values.',
    'old-is-said': 'An ID-JAG after an old sign-in keeps its auth_time.',
    expired: 'An expired ID token is refused.',
  },
  blockedBy: ['mint.minted'],
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const first = world.open(await world.idJag(session, audience)).claims['auth_time'];
    await world.time.pass(10 * MINUTE);
    const second = world.open(await world.idJag(session, audience)).claims['auth_time'];
    const kept = `auth_time ${String(second)} after ${String(first)}`;
    judge.expect('sign-in-time-kept', second === first, kept);
    await world.time.pass(STALE);
    const stale = await world.client.mint(session.idToken, audience);
    const asksAgain =
      stale.errorCode === 'insufficient_user_authentication' &&
      (typeof stale.member('max_age') === 'number' || stale.member('acr_values') !== undefined);
    judge.expect('stale', asksAgain, stale);
    const token = stale.string('access_token');
    const authTime = token === undefined ? first : world.open(token).claims['auth_time'];
    const said = `auth_time ${String(authTime)} after ${String(first)}`;
    judge.expect('old-is-said', authTime === first, said, stale);
    const { exp } = world.open(session.idToken).claims;
    if (typeof exp !== 'number') {
      judge.skip('expired', 'The ID token has no exp.');
      return;
    }
    await world.time.pass(Math.max(0, exp * 1000 - world.time.now()) + SKEW);
    const expired = await world.client.mint(session.idToken, audience);
    judge.table(expired, { expired: refusedBy(world.breaking) });
  },
});

const { form: FORM_TYPE, json: JSON_TYPE } = MEDIA_TYPE;

/** Far more than a mint needs. Bytes. */
const TOO_MUCH = 10 * 1024 * 1024;

const SEVERAL = 'RFC 8693 §2.1 allows several audiences, of which an ID-JAG has one.';

export const tokenRequests = providerScenario({
  id: 'token-requests',
  title: 'An agent sends right parameters in wrong requests',
  checks: {
    get: 'A mint by GET is refused.',
    json: 'A mint by JSON is refused.',
    labels: 'A mint by JSON that is labelled as a form, or by a form labelled as JSON, is refused.',
    doubled: 'A mint with a parameter given twice is refused.',
    oversized: 'A form of ten megabytes is refused.',
    'header-split': 'Line breaks in a parameter add no header to an answer.',
    secretless: 'A public client mints without a secret.',
  },
  resting: { 'token-requests.json': ['labels'] },
  blockedBy: ['mint.minted'],
  dangerous: true,
  async run(judge, world) {
    const audience = world.audience().issuer;
    const session = await world.session();
    const { client } = world;
    const good = await world.mintWithConsent(session, audience);
    const asksForMore = ['invalid_client', 'unauthorized_client'].includes(good.errorCode ?? '');
    judge.expect('secretless', !asksForMore, good);
    world.mustMint(good, audience);
    const refused = refusedBy(world.breaking);
    const url = client.endpoint('tokenEndpoint');
    const right: FormValues = {
      client_id: client.clientId,
      ...client.mintForm(session.idToken, audience),
    };
    const get = await world.send(`${url}?${formBody(right)}`, { from: 'agent' });
    judge.expect('get', !isMinted(get), get);
    for (const [check, what, type, body] of [
      ['json', 'JSON', JSON_TYPE, JSON.stringify(right)],
      ['labels', 'JSON labelled as a form', FORM_TYPE, JSON.stringify(right)],
      ['labels', 'a form labelled as JSON', JSON_TYPE, formBody(right)],
    ] as const) {
      const sending = { from: 'agent', headers: [['content-type', type]], body } as const;
      const answer = await world.recorder.oddly(what, () => world.send(url, sending));
      judge.table(answer, { [check]: refused }, { case: what });
    }
    for (const name of ['grant_type', 'audience', 'subject_token'] as const) {
      const body = `${formBody(right)}&${formBody({ [name]: right[name] })}`;
      const sending = { from: 'agent', headers: [['content-type', FORM_TYPE]], body } as const;
      const doubled = await world.recorder.oddly(`two of ${name}`, () => world.send(url, sending));
      const reading = name === 'audience' ? SEVERAL : undefined;
      judge.table(doubled, { doubled: refused }, { case: name, reading });
    }
    const { invented } = world;
    const [name, header] = [invented.member(), invented.header()];
    const query = `?${name}=${encodeURIComponent(`\r\n${header}: 1\r\n`)}`;
    for (const target of [`${world.facts.issuer}/${query}`, world.facts.metadataUrl + query]) {
      const split = await world.send(target);
      judge.expect(
        'header-split',
        split.header(header) === undefined,
        `the header ${header}`,
        split,
      );
    }
    try {
      const sending = {
        from: 'agent',
        // A provider may close the connection before the body ends: use one of its own.
        headers: [
          ['content-type', FORM_TYPE],
          ['connection', 'close'],
        ],
        body: formBody({ ...right, [name]: 'x'.repeat(TOO_MUCH) }),
      } as const;
      const big = await world.recorder.oddly('a body of ten megabytes', () =>
        world.send(url, sending),
      );
      judge.table(big, { oversized: refused });
    } catch (error) {
      // Closing the connection before the body ends is a refusal, too.
      if (!(error instanceof NoAnswer) || error.kind !== 'broken') throw error;
      // But not that of one that has died of it.
      await world.send(world.facts.metadataUrl);
      judge.expect('oversized', true, error.message);
    }
  },
});
