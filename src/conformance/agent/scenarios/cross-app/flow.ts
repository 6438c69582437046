import { agentScenario, ending, ofKind, refusal } from '../../agent-world.ts';
import { carries, connectRows, secretsOf } from '../../steps/connect-rows.ts';
import { type CrossApp, crossApp, mcpOf, runConnect } from '../../steps/cross-app.ts';
import { called, unsaid, unsaidInUrls, without } from '../../steps/rows.ts';
import { goodCall, need, needTraffic, repeated } from '../../steps/traffic.ts';

/** What nobody else may know when it is sent (RFC 9700 §2.1.1). */
const OF_A_SIGN_IN = ['state', 'nonce', 'code_challenge'] as const;

export const connect = agentScenario({
  id: 'agent-cross-app',
  title: 'The agent reaches an MCP server by cross-app access',
  checks: {
    'signs-in':
      'The agent signs its user in by authorization code, with `state`, `nonce` and a challenge by S256.',
    fresh: 'Each sign-in has a `state`, a `nonce` and a challenge of its own.',
    'verifier-kept': 'The agent sends the PKCE verifier with the code alone, and never in a URL.',
    mints:
      'The agent exchanges the ID token for an ID-JAG, with the issuer of the server as `audience` and the identifier of the resource as `resource`.',
    redeems:
      'The agent redeems the ID-JAG at the token endpoint of the server, as its client there.',
    'own-credentials': 'The agent sends the credentials of each server to that server alone.',
    'not-to-resource': 'The agent never sends an ID-JAG or an ID token to the resource.',
    calls: 'The agent calls with the access token.',
    quiet: 'The agent shows no secret: not in its output, in arguments or in a URL.',
  },
  resting: {
    'agent-cross-app.signs-in': ['fresh', 'verifier-kept', 'mints'],
    'agent-cross-app.mints': ['redeems'],
    'agent-cross-app.redeems': ['calls'],
  },
  async run(judge, world) {
    const both = await crossApp(world);
    const run = await runConnect(both);
    needTraffic(run);
    if (run.argv === undefined) {
      judge.skip('quiet', 'This system does not show the arguments of processes.');
    }
    const known = secretsOf(both, run.traffic);
    judge.table(run.traffic, {
      ...connectRows(both, run.traffic, ending(run)),
      quiet: [
        run.argv && unsaid(known, run.argv.flat().join('\n')),
        unsaid(known, run.output),
        unsaidInUrls(known, run.traffic),
      ],
    });
    const [first] = ofKind(run.traffic, 'authorize');
    await world.harness.forget();
    const again = await runConnect(both);
    const [second] = ofKind(again.traffic, 'authorize');
    if (first === undefined || second === undefined) {
      judge.untestable('fresh', `The agent signed nobody in twice (${ending(again)}).`);
      return;
    }
    const same = OF_A_SIGN_IN.filter((name) => {
      const [one, other] = [first, second].map(({ url }) => url.searchParams.get(name));
      return one !== null && one === other;
    });
    judge.table(again.traffic, {
      fresh: {
        ok: same.length === 0,
        seen: `the same ${same.join(', ')} twice`,
        exchange: second.number,
      },
    });
  },
});

export const bareResource = agentScenario({
  id: 'agent-cross-app-bare-resource',
  title: 'The resource of the MCP server is its bare origin',
  checks: { unchanged: 'The agent sends `resource` as the metadata spells it, without a slash.' },
  blockedBy: ['agent-cross-app.mints'],
  async run(judge, world) {
    const both = await crossApp(world);
    const { origin } = both.service;
    const metadata = `${origin}/.well-known/oauth-protected-resource`;
    both.service.on('other', ({ url }, next) =>
      url.pathname === '/'
        ? refusal(401, {}, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
        : next(),
    );
    const run = await runConnect(both, { resource: origin });
    const [minted] = ofKind(run.traffic, 'mint');
    need(minted, 'No exchange', run);
    const resource = minted.form.get('resource');
    judge.table(run, {
      unchanged: { ok: resource === origin, seen: String(resource), exchange: minted.number },
    });
  },
});

const tokenOver = () => refusal(401, {}, { 'www-authenticate': 'Bearer error="invalid_token"' });

/** A run after which the agent has a token. @throws CannotTest */
async function connected(both: CrossApp): Promise<void> {
  const run = await runConnect(both);
  need(goodCall(run.traffic), 'The agent did not get a token', run);
}

export const endedToken = agentScenario({
  id: 'agent-cross-app-ended-token',
  title: 'The access token has ended',
  checks: {
    'new-id-jag': 'The agent redeems no ID-JAG twice.',
    recovers: 'The agent gets another access token with another ID-JAG.',
  },
  resting: { 'agent-cross-app-ended-token.new-id-jag': ['recovers'] },
  blockedBy: ['agent-cross-app.calls'],
  async run(judge, world) {
    const both = await crossApp(world);
    await connected(both);
    const old = new Set(world.secrets().map(({ value }) => value));
    both.service.onCall(({ received }, next) =>
      old.has(received.bearer ?? '') ? tokenOver() : next(),
    );
    // An answer to a redemption that is lost says nothing of whether the ID-JAG was redeemed.
    both.service.on('exchange', async ({ nth }, next) => {
      const reply = await next();
      return nth === 2 ? 'drop' : reply;
    });
    const run = await runConnect(both);
    const last = goodCall(run.traffic) === undefined ? await runConnect(both) : run;
    const twice = repeated(both.service.requests('exchange'), (each) => each.member('assertion'));
    judge.table(last, {
      'new-id-jag': without(twice, 'The same ID-JAG again.'),
      recovers: called(last),
    });
  },
});

export const otherServer = agentScenario({
  id: 'agent-cross-app-other-server',
  title: 'The metadata of the resource names another server than before',
  checks: {
    'credentials-stay':
      'The agent sends its credentials to no server but the one that they are of.',
  },
  blockedBy: ['agent-cross-app.own-credentials', 'agent-cross-app.calls'],
  async run(judge, world) {
    const other = await world.service({ name: 'other-service' });
    const both = await crossApp(world, { others: [other.origin] });
    await connected(both);
    both.service.on('resource_metadata', async (_ask, next) => {
      await next();
      return Response.json({ resource: mcpOf(both), authorization_servers: [other.origin] });
    });
    both.service.onCall(tokenOver);
    // A provider that does not know which resources are whose mints for both.
    both.provider.on('mint', ({ body }, next) => {
      const form = new URLSearchParams(body);
      if (form.get('audience') === other.origin) form.delete('resource');
      return next({ body: form.toString() });
    });
    const run = await runConnect(both);
    need(ofKind(run.traffic, 'resource_metadata')[0], 'The agent read no metadata again', run);
    const sent = other.requests().find((each) => carries(each, both.atService.client_secret));
    judge.table(other, { 'credentials-stay': without(sent, 'credentials of the first server') });
  },
});
