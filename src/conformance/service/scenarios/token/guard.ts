import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import { status } from '../../../engine/rows.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { type ServiceWorld, serviceScenario } from '../../service-world.ts';
import { mustOpen } from '../../steps/controls.ts';
import { someAssertion } from '../../steps/new-registration.ts';
import { described, NO_WRITE, Writes } from '../../steps/writes.ts';
import type { WriteRequest } from '../../write-request.ts';

/** What makes some guards step aside, as advisories of gateways and frameworks tell. */
const HEADERS: readonly (readonly [what: string, headers: HeaderList])[] = [
  [
    'as though from the machine itself',
    [
      ['x-forwarded-for', '127.0.0.1'],
      ['x-real-ip', '127.0.0.1'],
      ['forwarded', 'for=127.0.0.1'],
    ],
  ],
  ['as a browser asks', [['accept', 'text/html']]],
  ['as a request of the service to itself', [['x-middleware-subrequest', 'middleware']]],
  ['with Basic credentials that are empty', [['authorization', 'Basic Og==']]],
];

export const guard = serviceScenario({
  id: 'guard',
  title: 'A resource stays closed to calls without a token, however they ask for it',
  checks: {
    head: 'HEAD without a token is refused, as GET is.',
    paths: 'No other spelling of its URL opens a resource without a token.',
    headers: 'No other header opens a resource without a token.',
  },
  blockedBy: ['challenge.open', 'bearer.works'],
  async run(judge, world) {
    const { client, invented } = world;
    const good = await mustOpen(world, await world.accessToken(await someAssertion(world)));
    if (!good.ok) {
      throw new NotApplicable(`GET with a valid token is answered ${good.describe()}.`);
    }
    const bare = await client.call(undefined);
    if (bare.ok) throw new CannotTest('The resource is open to a call without a token.');
    const url = client.protectedUrl();
    const get = (at: string, headers: HeaderList = []) =>
      world.send(at, { from: 'agent', headers });
    const nothing = invented.word();
    const elsewhere = new URL(`${new URL(url).pathname.replace(/[^/]*$/, '')}${nothing}`, url).href;
    const unknown = await get(elsewhere);
    // A server may answer every path, or whoever wants a page, with a page of its own: that opens nothing.
    const isPage = good.mediaType === 'text/html';
    const answersAll = isPage || (unknown.ok && unknown.mediaType === good.mediaType);
    const opens = (answer: Answer) =>
      answer.ok && (answersAll ? answer.text === good.text : answer.mediaType === good.mediaType);

    const method = 'HEAD';
    const head = await client.call(undefined, { method });
    // Asked only where it matters: some servers close their connection after that answer.
    if (head.ok && (await world.send(elsewhere, { method, from: 'agent' })).ok) {
      judge.skip('head', 'HEAD of any URL at all is answered 2xx.');
    } else {
      judge.expect('head', !head.ok, head);
    }
    for (const spelling of spellings(url)) {
      const answer = await get(spelling);
      const { pathname, search } = new URL(spelling);
      judge.expect('paths', !opens(answer), answer, { case: pathname + search });
    }
    for (const [what, headers] of HEADERS) {
      const answer = await get(url, headers);
      judge.expect('headers', !opens(answer), answer, { case: what });
    }
  },
});

/** The URLs that a router may take for the same, and a guard for another. */
function spellings(url: string): readonly string[] {
  const { origin, pathname, search } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  const last = path.charCodeAt(path.length - 1).toString(16);
  const paths = [
    pathname === path ? `${path}/` : path,
    path.toUpperCase(),
    `/${path}`,
    `${path}//`,
    `${path};a=b`,
    `${path}.json`,
    `${path.slice(0, -1)}%${last}`,
  ];
  const query = `${search === '' ? '?' : `${search}&`}next=/.well-known/oauth-authorization-server`;
  const others = path === '' ? [] : paths.filter((each) => each !== pathname);
  return [...others.map((each) => origin + each + search), origin + pathname + query];
}

export const protectedWrites = serviceScenario({
  id: 'protected-writes',
  title: 'A write needs a valid token, as a read does',
  checks: {
    'no-token': 'A write without a token is refused.',
    status: 'A write without a token is answered with 401.',
    'bad-token': 'A write with an unknown, malformed or revoked token is refused.',
  },
  resting: { 'protected-writes.no-token': ['bad-token'] },
  async run(judge, world) {
    await mustKnowTokens(world);
    const writes = new Writes(world);
    const guarded: WriteRequest[] = [];
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      for (const write of writes.all(method)) {
        const answer = await writes.send(write, undefined);
        const outcome = await writes.outcome(write, answer);
        const more = { case: described(write) };
        if (outcome === 'unknown') {
          if (await writes.isJudgedByBody(write, answer)) {
            judge.table(answer, { status: status(401) }, more);
          }
          continue;
        }
        if (judge.table(answer, { 'no-token': { ok: outcome === 'refused' } }, more)) {
          judge.table(answer, { status: status(401) }, more);
          guarded.push(write);
        }
        // One body of a method is enough, but each write that the run names is one of its own.
        if (world.writes.length === 0) break;
      }
    }
    if (guarded.length === 0) {
      const needs = '--write-request';
      judge.skip(['no-token', 'status', 'bad-token'], NO_WRITE, { needs });
    }
    for (const [what, value] of await badTokens()) {
      for (const write of guarded) await judgeBad(what, write, await writes.send(write, value));
    }

    async function judgeBad(what: string, write: WriteRequest, answer: Answer): Promise<void> {
      const outcome = await writes.outcome(write, answer);
      if (outcome === 'unknown') return;
      const more = { case: `${what}, ${described(write)}` };
      judge.table(answer, { 'bad-token': { ok: outcome === 'refused' } }, more);
    }

    async function badTokens(): Promise<readonly (readonly [what: string, value: string])[]> {
      const unknown = ['an unknown token', world.invented.token()] as const;
      if (guarded.length === 0 || world.facts.revocationEndpoint === undefined) return [unknown];
      const revoked = await world.accessToken(await someAssertion(world));
      await world.client.revoke(revoked);
      // One that a read takes too is a finding about revocation, and about no write.
      const isEnded = (await world.client.call(revoked)).status === 401;
      return isEnded ? [unknown, ['a revoked token', revoked]] : [unknown];
    }
  },
});

/** Where an agent gets a token without a user. @throws CannotTest when it is answered as none would be. */
async function mustKnowTokens(world: ServiceWorld): Promise<void> {
  if (world.facts.resource === undefined) return;
  const assertion = await someAssertion(world).catch((error: unknown) => {
    if (error instanceof NotApplicable) return undefined;
    throw error;
  });
  if (assertion === undefined) return;
  const answer = await world.client.call(await world.accessToken(assertion));
  if (answer.status !== 401) return;
  throw new CannotTest(
    `A call with a fresh access token was refused (${answer.describe()}), so that a refusal without one says nothing.`,
  );
}
