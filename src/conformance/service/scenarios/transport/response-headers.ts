import { header, isAbsent, matches, noStore } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import { readChallenges } from '../../../http/challenge.ts';
import type { Sending } from '../../../http/http-client.ts';
import { whyNoResource } from '../../service-client.ts';
import { serviceScenario } from '../../service-world.ts';
import { endpointsOf } from './media-types.ts';

/** RFC 9111 §3.5: what lets a shared cache store an answer to a call with a token. */
const SHARED = /^(public|s-maxage=.*|must-revalidate)$/;

export const cacheHeaders = serviceScenario({
  id: 'cache-headers',
  title: 'Answers with secrets are not cached',
  checks: {
    tokens: 'A token answer has Cache-Control: no-store.',
    pragma: 'A token answer has Pragma: no-cache too.',
    registrations: 'Answers with assertions, claim tokens and codes have Cache-Control: no-store.',
    calls: 'No shared cache may store the answer to a call with a token.',
  },
  resting: { 'cache-headers.tokens': ['pragma', 'registrations'] },
  async run(judge, world) {
    world.needType('anonymous');
    const { client } = world;
    const registered = await client.registerAnonymous();
    const assertion = world.must(registered, 'identity_assertion', 'an anonymous registration');
    const claimToken = registered.string('claim_token');
    const answers = [registered];
    if (world.facts.claimEndpoint !== undefined && claimToken !== undefined) {
      answers.push(await client.startClaim(claimToken, world.userEmail()));
    }
    for (const answer of answers) judge.table(answer, { registrations: noStore });
    const granted = await client.exchange(assertion);
    const token = world.must(granted, 'access_token', 'an exchange');
    judge.table(granted, { tokens: noStore, pragma: header('Pragma', matches(/^no-cache$/i)) });
    if (world.facts.resource === undefined) return;
    const called = await client.call(token);
    const isShared = called.cacheControl.some((directive) => SHARED.test(directive));
    judge.table(called, { calls: header('Cache-Control', () => !isShared) });
  },
});

export const cors = serviceScenario({
  id: 'cors',
  title: 'CORS grants other origins no credentials',
  safe: true,
  checks: {
    credentials: 'No foreign origin gets Access-Control-Allow-Credentials.',
  },
  async run(judge, world) {
    const { jwksUri, resource } = world.facts;
    const others = [resource, jwksUri].filter((url) => url !== undefined);
    const urls = [...endpointsOf(world), ...others];
    for (const origin of [`https://${world.elsewhere}`, 'null']) {
      for (const url of urls) {
        for (const sending of requestsOf(origin)) {
          const answer = await world.send(url, sending);
          const seen = `Access-Control-Allow-Origin: ${origin}, with credentials`;
          const more = { case: new URL(url).pathname };
          judge.table(answer, { credentials: { ok: !isOpen(answer, origin), seen } }, more);
        }
      }
    }
  },
});

function isOpen(answer: Answer, origin: string): boolean {
  const allowed = answer.header('access-control-allow-origin');
  const credentials = answer.header('access-control-allow-credentials');
  return credentials?.toLowerCase() === 'true' && allowed === origin;
}

function requestsOf(origin: string): readonly Sending[] {
  return [
    { headers: [['origin', origin]] },
    {
      method: 'OPTIONS',
      headers: [
        ['origin', origin],
        ['access-control-request-method', 'POST'],
        ['access-control-request-headers', 'authorization,content-type'],
      ],
    },
  ];
}

export const headerInjection = serviceScenario({
  id: 'header-injection',
  title: 'No value of a request injects a header into the answer',
  safe: true,
  checks: {
    split: 'CR and LF in URLs and parameters add no header.',
    challenge: 'A URL with quotes leaves the challenge readable and adds no parameter.',
  },
  async run(judge, world) {
    const { client, facts, invented } = world;
    const mark = invented.header();
    const split = `${invented.word()}\r\n${mark}: ${invented.word()}\r\n\r\nx`;
    const expectWhole = (answer: Answer, where: string) =>
      judge.table(answer, { split: header(mark, isAbsent) }, { case: where });
    const encoded = encodeURIComponent(split);
    for (const name of ['grant_type', 'scope', 'resource', 'assertion']) {
      const form = { grant_type: invented.urn(), assertion: invented.token(), [name]: split };
      expectWhole(await client.token(form), name);
    }
    const { revocationEndpoint, resource } = facts;
    if (revocationEndpoint !== undefined) {
      const form = { token: invented.token(), token_type_hint: split };
      expectWhole(await client.postForm(revocationEndpoint, form), 'token_type_hint');
    }
    if (resource === undefined) {
      const none = whyNoResource(world.facts);
      judge.skip('challenge', none.reason, none);
      return;
    }
    for (const url of [`${resource}/${encoded}`, `${resource}?${invented.word()}=${encoded}`]) {
      expectWhole(await world.send(url), 'URL');
      const headers = [['authorization', `Bearer ${invented.token()}`]] as const;
      expectWhole(await world.send(url, { headers }), 'URL');
    }
    const planted = invented.word();
    const quoted = await world.send(`${resource}/%22,%20error=%22${planted}`);
    if (quoted.status !== 401) {
      judge.skip('challenge', 'A URL with quotes is answered without a challenge.');
      return;
    }
    const field = quoted.header('www-authenticate') ?? '';
    const parameters = readChallenges(field)?.flatMap((each) => each.parameters);
    const isPlanted = parameters?.some(([name, value]) => name === 'error' && value === planted);
    const isIntact = parameters !== undefined && isPlanted !== true;
    judge.table(quoted, { challenge: header('WWW-Authenticate', () => isIntact) });
  },
});
