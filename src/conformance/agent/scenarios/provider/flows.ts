import { CannotTest } from '../../../engine/judge.ts';
import { openJwt } from '../../../jwt/open.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { type AgentWorld, ending, ofKind, refusal } from '../../agent-world.ts';
import { gaps, goodCall, listed, needTraffic, registrations } from '../../steps/traffic.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

/** A provider, a service that trusts it, and what every run of these stories is told. */
export async function providerAndService(
  world: AgentWorld,
  options: { readonly idJag?: number; readonly known?: boolean } = {},
) {
  const provider = await world.provider(options);
  const service = await world.service({
    trust: [provider.issuer],
    ...(options.known === true && { mock: { users: [{ email: world.email }] } }),
  });
  const facts = {
    service,
    type: 'identity_assertion',
    provider: provider.issuer,
    agrees: true,
  } as const;
  return { provider, service, facts };
}

export const idJag = agentScenario({
  id: 'agent-id-jag',
  title: 'The agent registers with an ID-JAG of its provider',
  checks: {
    'signs-in': 'The agent signs its user in by device authorization, as a public client.',
    mints: 'The agent mints by token exchange, with the issuer of the service as audience.',
    'names-what': 'The mint names the resource or the scopes that the user is asked about.',
    'resource-address': 'The agent sends as `resource` an absolute address without a fragment.',
    registers: 'The agent registers as `identity_assertion` with the ID-JAG in `assertion`.',
    'assertion-type': 'The agent names the type of its assertion.',
    'no-bearer': 'The agent never uses an ID-JAG as a bearer token.',
    calls: 'The agent calls with a token of its registration.',
  },
  async run(judge, world) {
    const { provider, service, facts } = await providerAndService(world);
    const run = await world.run('call', facts);
    needTraffic(run);
    const [device] = ofKind(run.traffic, 'device');
    const atProvider = provider.requests().filter(({ method }) => method === 'POST');
    const secretive = atProvider.find(
      ({ form, headers }) =>
        headers.has('authorization') || form.has('client_secret') || form.has('client_assertion'),
    );
    judge.expect(
      'signs-in',
      device?.form.has('client_id') === true && secretive === undefined,
      secretive === undefined
        ? listed(atProvider)
        : 'a client secret or an assertion of the client',
      { exchange: secretive?.number ?? device?.number },
    );
    const [mint] = ofKind(run.traffic, 'mint');
    if (mint === undefined) throw new CannotTest(`The agent minted nothing (${ending(run)}).`);
    const { form } = mint;
    judge.expect(
      'mints',
      form.get('audience') === service.origin &&
        form.get('subject_token_type') === ID_TOKEN &&
        form.get('requested_token_type') === ID_JAG &&
        form.has('subject_token'),
      ['audience', 'subject_token_type', 'requested_token_type']
        .map((name) => `${name}=${form.get(name) ?? ''}`)
        .join(' '),
      {
        expected: `audience ${service.origin}, an ID token as subject token, an ID-JAG asked for`,
        exchange: mint.number,
      },
    );
    judge.expect(
      'names-what',
      form.has('resource') || form.has('scope'),
      [...form.keys()].join(', '),
      { exchange: mint.number },
    );
    for (const each of world.traffic.flatMap(({ form: sent, number }) =>
      sent.getAll('resource').map((value) => ({ value, number })),
    )) {
      judge.expect(
        'resource-address',
        URL.canParse(each.value) && !each.value.includes('#'),
        each.value,
        { exchange: each.number },
      );
    }
    if (!world.traffic.some(({ form: sent }) => sent.has('resource'))) {
      judge.skip('resource-address', 'The agent sends no `resource`.');
    }
    const minted = mint.answered?.['access_token'];
    const [registered] = registrations(run.traffic);
    judge.expect(
      'registers',
      registered?.json?.['type'] === 'identity_assertion' &&
        registered.json['assertion'] === minted,
      registered === undefined ? 'no registration' : `type ${String(registered.json?.['type'])}`,
      { exchange: registered?.number },
    );
    judge.expect(
      'assertion-type',
      registered?.json?.['assertion_type'] === ID_JAG,
      String(registered?.json?.['assertion_type']),
      { expected: ID_JAG, exchange: registered?.number },
    );
    const borne = world.traffic.find(({ bearer }) => bearer !== undefined && bearer === minted);
    judge.expect('no-bearer', borne === undefined, 'It was sent as a bearer token.', {
      exchange: borne?.number,
    });
    judge.expect(
      'calls',
      goodCall(run.traffic) !== undefined,
      `${listed(ofKind(run.traffic, 'resource'))} (${ending(run)})`,
    );
  },
});

export const consent = agentScenario({
  id: 'agent-consent',
  title: 'The provider asks for consent first',
  checks: {
    'shows-page': 'The agent shows its user the page where consent is given.',
    'no-loop': 'The agent does not mint in a loop while consent is missing.',
  },
  async run(judge, world) {
    const { provider, facts } = await providerAndService(world);
    const page = `${provider.issuer}/consent?request=${world.invented.token()}`;
    provider.on('mint', ({ nth }, next) =>
      nth <= 2 ? refusal(400, { error: 'consent_required', consent_uri: page }) : next(),
    );
    const run = await world.run('call', facts);
    const mints = ofKind(run.traffic, 'mint');
    if (mints.length === 0) throw new CannotTest(`The agent minted nothing (${ending(run)}).`);
    judge.expect('shows-page', run.output.includes(page), `It is not there (${ending(run)}).`, {
      exchange: mints[0]?.number,
    });
    // Some look at once whether it was given already: that is no loop yet.
    const fast = gaps(mints).filter(({ ms, after }) => ms < 800 && after.answer?.status === 400);
    judge.expect(
      'no-loop',
      fast.length <= 1 && mints.length <= 60,
      `${mints.length} mints, ${fast.length} without a pause`,
      { exchange: fast.at(1)?.next.number },
    );
  },
});

export const staleSignIn = agentScenario({
  id: 'agent-stale-sign-in',
  title: 'The sign-in at the provider is too old to mint with',
  checks: {
    'signs-in-again': 'The agent signs its user in anew at insufficient_user_authentication.',
  },
  async run(judge, world) {
    const { provider, facts } = await providerAndService(world);
    provider.on('mint', ({ nth }, next) =>
      nth === 1
        ? refusal(400, { error: 'insufficient_user_authentication', max_age: 3600 })
        : next(),
    );
    const run = await world.run('call', facts);
    const [first] = ofKind(run.traffic, 'mint');
    if (first === undefined) throw new CannotTest(`The agent minted nothing (${ending(run)}).`);
    const again = ofKind(run.traffic, 'device').find(({ number }) => number > first.number);
    judge.expect('signs-in-again', again !== undefined, `none (${ending(run)})`, {
      exchange: first.number,
    });
  },
});

export const loginRequired = agentScenario({
  id: 'agent-login-required',
  title: 'The service wants a newer sign-in than the ID-JAG tells of',
  checks: {
    'fresh-sign-in': 'The agent takes login_required to its provider for a fresh sign-in.',
    'not-repeated': 'The agent does not send the refused ID-JAG again.',
  },
  async run(judge, world) {
    const { service, facts } = await providerAndService(world);
    service.on('identity', ({ nth }, next) =>
      nth === 1
        ? refusal(
            401,
            { error: 'login_required', max_age: 60 },
            {
              'www-authenticate': 'AgentAuth error="login_required", max_age="60"',
            },
          )
        : next(),
    );
    const run = await world.run('call', facts);
    const [first, second] = registrations(run.traffic);
    if (first === undefined) throw new CannotTest(`The agent did not register (${ending(run)}).`);
    const again = ofKind(run.traffic, 'device').find(({ number }) => number > first.number);
    judge.expect('fresh-sign-in', again !== undefined, `none (${ending(run)})`, {
      exchange: first.number,
    });
    judge.expect(
      'not-repeated',
      second === undefined || second.member('assertion') !== first.member('assertion'),
      'The same ID-JAG again.',
      { exchange: second?.number },
    );
  },
});

export const lostAnswer = agentScenario({
  id: 'agent-lost-answer',
  title: 'The answer to a registration with an ID-JAG is lost',
  checks: { 'minted-anew': 'After a lost answer the agent never sends the same ID-JAG again.' },
  async run(judge, world) {
    const { service, facts } = await providerAndService(world);
    service.on('identity', async ({ nth }, next) => {
      const reply = await next();
      return nth === 1 ? 'drop' : reply;
    });
    await world.run('call', facts);
    await world.run('call', facts);
    const sent = service.requests('identity').map((each) => each.member('assertion'));
    if (sent.length === 0) throw new CannotTest('The agent did not register.');
    const twice = service
      .requests('identity')
      .find((_each, index) => sent.indexOf(sent[index]) < index);
    judge.expect('minted-anew', twice === undefined, 'The same ID-JAG again.', {
      exchange: twice?.number,
    });
  },
});

export const endedRegistration = agentScenario({
  id: 'agent-ended-registration',
  title: 'The service has ended a registration of a user who is signed in at the provider',
  checks: {
    'registers-again':
      'The agent mints and registers once more where its provider has a signed-in user.',
    once: 'The agent does that once, and then stops.',
    'not-over': 'The agent presents no ID-JAG that is over.',
  },
  async run(judge, world) {
    const { provider, service, facts } = await providerAndService(world, { idJag: 2000 });
    await world.mustRun('call', facts);
    await world.harness.sleep(2500);
    const old = new Set(world.secrets().map(({ value }) => value));
    let isOver = true;
    const dead = (text: string | undefined) => text !== undefined && old.has(text);
    service.on('exchange', ({ received }, next) =>
      isOver && dead(received.member('assertion'))
        ? refusal(400, { error: 'invalid_grant' })
        : next(),
    );
    service.on('resource', ({ received }, next) =>
      isOver && dead(received.bearer)
        ? new Response(null, {
            status: 401,
            headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
          })
        : next(),
    );
    const run = await world.run('call', facts);
    const made = registrations(run.traffic);
    const minted = ofKind(run.traffic, 'mint').filter(({ to }) => to === provider.name);
    judge.expect(
      'registers-again',
      minted.length === 1 && made.length === 1 && goodCall(run.traffic) !== undefined,
      `${listed(run.traffic)} (${ending(run)})`,
    );
    for (const each of made) {
      const exp = openJwt(each.member('assertion') ?? '')?.claims['exp'];
      judge.expect(
        'not-over',
        typeof exp !== 'number' || exp * 1000 > each.at,
        'One that is over.',
        { exchange: each.number },
      );
    }
    isOver = false;
    service.on('resource', ({ received }, next) =>
      received.bearer === undefined
        ? next()
        : new Response(null, {
            status: 401,
            headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
          }),
    );
    const last = await world.run('call', { ...facts, limit: 30_000 });
    const more = registrations(last.traffic);
    judge.expect('once', more.length <= 1 && !last.killed, `${more.length} registrations`, {
      exchange: more.at(1)?.number,
    });
  },
});
