import { type Judge, judgePart, NeedsOption, NotApplicable } from '../../../engine/judge.ts';
import { has } from '../../../engine/rows.ts';
import { CodeClient } from '../../cross-app/code-client.ts';
import { crossAppScenario } from '../../cross-app/cross-app-scenario.ts';
import type { Authorization, CrossAppWorld } from '../../cross-app/cross-app-world.ts';
import { codeAt } from '../../cross-app/cross-app-world.ts';

/** What a form or a URL can spoil, and more than some columns hold. */
const ODD = '&=+%';
const LONG = 500;

const REQUEST_URI =
  'The metadata offers request_uri, which OpenID Connect Core §6.2 lets a provider fetch.';
const LISTED = 'The metadata lists plain, which RFC 7636 §4.2 has for clients that cannot S256.';
const UNLISTED = 'The metadata does not promise it (RFC 9207 §3); clients use it against mix-up.';

export const idpAuthorization = crossAppScenario({
  id: 'idp-authorization',
  title: 'A client sends its user to the authorization endpoint',
  checks: {
    code: 'An authorization request of the client is answered with a code, at its redirect URI.',
    state: 'The state comes back as it was sent, with a code and with an error.',
    issuer: 'The redirect names the issuer in iss, with a code and with an error.',
    'redirect-uri': 'Nobody is redirected to a URI that is not registered, as it is written.',
    'unknown-client': 'Nobody is redirected for a client that is not known.',
    'shown-as-text': 'No parameter of the request is an element of a page that answers it.',
    'request-uri': 'The provider fetches no request object from a URL that is not registered.',
    plain: 'A code challenge by plain is refused, also where the method is left out.',
    'challenge-required': 'A public client gets no code without a code challenge.',
  },
  async run(judge, app) {
    const email = app.world.email();
    const browser = app.browser();
    const { invented } = app.world;
    const state = ODD + invented.word().padEnd(LONG - ODD.length, 'x');
    const first = await app.authorize({ browser, email, parameters: { state } });
    if (first.end.kind === 'stayed') app.redeemForm(first);
    if (!judge.expect('code', codeAt(first.end) !== null, app.endOf(first.end)))
      app.redeemForm(first);
    judgeAnswer(judge, app, first);
    // A browser in which nobody is signed in (OpenID Connect Core §3.1.2.1).
    const silent = await app.authorize({ email, parameters: { state, prompt: 'none' } });
    judgeAnswer(judge, app, silent);

    for (const uri of wrongUris(app, browser.seesAll)) {
      await judgePart(judge, 'redirect-uri', async () => {
        const { end } = await app.authorize({ browser, email, parameters: { redirect_uri: uri } });
        const isThere = end.kind === 'arrived' && end.url.href.startsWith(new URL(uri).href);
        judge.expect('redirect-uri', !isThere, app.endOf(end), { case: uri });
      });
    }
    await judgePart(judge, 'unknown-client', async () => {
      const parameters = { client_id: invented.token() };
      const { end } = await app.authorize({ browser, email, parameters });
      judge.expect('unknown-client', end.kind === 'stayed', app.endOf(end));
    });
    await judgePart(judge, 'shown-as-text', () => judgeReflected(judge, app));
    await judgePart(judge, 'request-uri', async () => {
      const path = `/${invented.word()}`;
      const { elsewhere } = app.world.services;
      await app.authorize({ browser, email, parameters: { request_uri: elsewhere.origin + path } });
      // What is fetched beside the answer has come by the next one.
      await app.authorize({ browser, email });
      const fetched = elsewhere.hits.find((hit) => hit.endsWith(path));
      const isOffered = app.world.facts.metadata['request_uri_parameter_supported'] === true;
      judge.expect('request-uri', fetched === undefined, `${fetched} at a server of the suite`, {
        reading: isOffered ? REQUEST_URI : undefined,
      });
    });
    const isListed = has('plain')(app.world.facts.metadata['code_challenge_methods_supported']);
    for (const method of ['plain', undefined]) {
      await judgePart(judge, 'plain', async () => {
        const parameters = { code_challenge_method: method };
        const asked = await app.authorize({ browser, email, parameters });
        judge.expect('plain', codeAt(asked.end) === null, app.endOf(asked.end), {
          case: method ?? 'no method',
          reading: isListed ? LISTED : undefined,
        });
      });
    }
    await judgePart(judge, 'challenge-required', async () => {
      const client = publicClientOf(app);
      if (codeAt((await app.authorize({ client, browser, email })).end) === null) {
        throw new NotApplicable(`The public client ${client.id} gets no code at all.`);
      }
      const parameters = { code_challenge: undefined, code_challenge_method: undefined };
      const bare = await app.authorize({ client, browser, email, parameters });
      judge.expect('challenge-required', codeAt(bare.end) === null, app.endOf(bare.end));
    });
  },
});

/** What another site has a user's browser ask for, and what the provider says of it. */
async function judgeReflected(judge: Judge<'shown-as-text'>, app: CrossAppWorld): Promise<void> {
  const element = `<img/src=${app.world.invented.word()}>`;
  for (const [name, value] of [
    ['redirect_uri', `${app.given.redirectUri}?a="${element}`],
    ['client_id', element],
    ['scope', `openid ${element}`],
  ] as const) {
    const { end } = await app.authorize({ parameters: { [name]: value } });
    if (end.kind !== 'stayed') continue;
    const { answer } = end.page;
    const isText = answer.mediaType !== 'text/html' || !answer.text.includes(element);
    const details = { case: name, exchange: answer.exchange };
    judge.expect('shown-as-text', isText, 'the parameter as an element of the page', details);
  }
  judge.skip('shown-as-text', 'No such request is answered with a page.');
}

/** What stands beside a code or an error. */
function judgeAnswer(
  judge: Judge<'state' | 'issuer'>,
  app: CrossAppWorld,
  { end, state }: Authorization,
): void {
  if (end.kind === 'stayed') return;
  const { exchange, url } = end;
  const of = url.searchParams.has('error') ? 'with an error' : 'with a code';
  const { issuer, metadata } = app.world.facts;
  const iss = url.searchParams.get('iss');
  const isPromised = metadata['authorization_response_iss_parameter_supported'] === true;
  judge.expect('state', url.searchParams.get('state') === state, app.endOf(end), {
    case: of,
    exchange,
  });
  judge.expect('issuer', iss === issuer, `iss ${iss ?? 'is missing'}`, {
    case: of,
    expected: `iss=${issuer}`,
    exchange,
    reading: iss === null && !isPromised ? UNLISTED : undefined,
  });
}

/** URIs that are like the registered one, and not it. */
function wrongUris({ given, world }: CrossAppWorld, elsewhereToo: boolean): readonly string[] {
  const { redirectUri } = given;
  const { host, pathname, protocol } = new URL(redirectUri);
  const { elsewhere, invented } = world;
  const tail = redirectUri.slice(redirectUri.indexOf(host) + host.length);
  const other = pathname === pathname.toUpperCase() ? tail.toLowerCase() : tail.toUpperCase();
  return [
    ...(elsewhereToo
      ? [`${protocol}//${elsewhere}${tail}`, `${protocol}//${host}@${elsewhere}${tail}`]
      : []),
    `${redirectUri}/${invented.word()}`,
    `${redirectUri}/`,
    `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${invented.word()}=1`,
    ...(pathname === '/' ? [] : [`${protocol}//${host}${other}`]),
  ];
}

/** @throws NeedsOption where no public client is known. */
function publicClientOf(app: CrossAppWorld): CodeClient {
  const { given, world } = app;
  if (given.other !== undefined && given.other.secret === undefined) return app.other();
  if (!world.facts.isForAgents) {
    throw new NeedsOption(
      'This needs a public client with the same redirect URI: --client-id ID once more, without a secret.',
      '--client-id',
    );
  }
  const send: ConstructorParameters<typeof CodeClient>[0] = (url, sending) =>
    world.send(url, sending);
  return new CodeClient(send, world.facts, { id: world.client.clientId });
}
