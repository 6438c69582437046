import { CannotTest, NotApplicable } from '../../../engine/judge.ts';
import type { Answer } from '../../../http/answer.ts';
import type { HeaderList } from '../../../http/http-client.ts';
import { serviceScenario } from '../../service-scenario.ts';
import { mustOpen } from '../../steps/controls.ts';
import { someAssertion } from '../../steps/new-registration.ts';

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

/** Other URLs that a router may take for the same, and a guard for another. */
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
