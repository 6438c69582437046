import type { Reading } from '../../../engine/judge.ts';
import { openJwt } from '../../../jwt/open.ts';
import {
  type AgentWorld,
  agentScenario,
  ending,
  type ObservedRun,
  ofKind,
  refusal,
} from '../../agent-world.ts';
import type { ReceivedRequest } from '../../received-request.ts';
import { invalidToken, mustCall } from '../../steps/ended-access.ts';
import { atMost, called, without } from '../../steps/rows.ts';
import { gaps, listed, need, needTraffic, registrations, repeated } from '../../steps/traffic.ts';

const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

/** A provider, a service that trusts it, and the facts of every run. */
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
    'names-what': 'The mint names the resource or the scopes that the user consents to.',
    'resource-address': 'The agent sends as `resource` an absolute URL without a fragment.',
    registers: 'The agent registers as `identity_assertion` with the ID-JAG in `assertion`.',
    'no-bearer': 'The agent never uses an ID-JAG as a bearer token.',
    calls: 'The agent calls with a token of its registration.',
  },
  resting: {
    'agent-id-jag.mints': ['names-what', 'resource-address', 'registers', 'no-bearer'],
    'agent-id-jag.resource-address': ['registers'],
    'agent-id-jag.signs-in': ['mints', 'registers'],
    'agent-id-jag.registers': ['calls'],
    'agent-call.calls': ['calls'],
  },
  blockedBy: ['agent-call.two-hops'],
  async run(judge, world) {
    const { provider, service, facts } = await providerAndService(world);
    const run = await world.run('call', facts);
    needTraffic(run);
    const [device] = ofKind(run.traffic, 'device');
    const atProvider = provider.requests().filter(({ method }) => method === 'POST');
    const confidential = atProvider.find(
      ({ form, headers }) =>
        headers.has('authorization') || form.has('client_secret') || form.has('client_assertion'),
    );
    judge.table(atProvider, {
      'signs-in': {
        ok: device?.form.has('client_id') === true && confidential === undefined,
        seen: confidential ? 'a client secret or a client assertion' : listed(atProvider),
        exchange: confidential?.number ?? device?.number,
      },
    });
    const [mint] = needMints(run);
    const { form } = mint;
    const minted = mint.answered?.['access_token'];
    const [registered] = registrations(run.traffic);
    const { json } = registered ?? {};
    const resources = world.traffic.flatMap(({ form: sent, number }) =>
      sent.getAll('resource').map((value) => ({ value, number })),
    );
    if (resources.length === 0) judge.skip('resource-address', 'The agent sends no `resource`.');
    const borne = world.traffic.find(({ bearer }) => bearer !== undefined && bearer === minted);
    const isMint =
      form.get('audience') === service.origin &&
      form.get('subject_token_type') === ID_TOKEN &&
      form.get('requested_token_type') === ID_JAG &&
      form.has('subject_token');
    const minting = ['audience', 'subject_token_type', 'requested_token_type'].map(
      (name) => `${name}=${form.get(name) ?? ''}`,
    );
    judge.table(form, {
      mints: { ok: isMint, seen: minting.join(' '), exchange: mint.number },
      'names-what': {
        ok: form.has('resource') || form.has('scope'),
        seen: [...form.keys()].join(', '),
        exchange: mint.number,
      },
      'resource-address': resources.map(({ value, number }) => ({
        ok: URL.canParse(value) && !value.includes('#'),
        seen: value,
        exchange: number,
      })),
      registers: {
        ok: json?.['type'] === 'identity_assertion' && json['assertion'] === minted,
        seen: registered === undefined ? 'no registration' : `type ${String(json?.['type'])}`,
        exchange: registered?.number,
      },
      'no-bearer': without(borne, 'It was sent as a bearer token.'),
      calls: called(run),
    });
  },
});

export const consent = agentScenario({
  id: 'agent-consent',
  title: 'The provider requires consent first',
  checks: {
    'shows-page': 'The agent shows its user the page where consent is given.',
    'no-loop': 'While consent is missing, the agent pauses for about a second between two mints.',
  },
  blockedBy: ['agent-id-jag.mints', 'agent-id-jag.signs-in'],
  async run(judge, world) {
    const { provider, facts } = await providerAndService(world);
    const page = `${provider.issuer}/consent?request=${world.invented.token()}`;
    provider.on('mint', ({ nth }, next) =>
      nth <= 2 ? refusal(400, { error: 'consent_required', consent_uri: page }) : next(),
    );
    const run = await world.run('call', facts);
    const mints = needMints(run);
    // An agent may check at once whether consent was given meanwhile.
    const fast = gaps(mints).filter(({ ms, after }) => ms < 800 && after.answer?.status === 400);
    judge.table(run, {
      'shows-page': {
        ok: run.output.includes(page),
        seen: `not in the output (${ending(run)})`,
        exchange: mints[0]?.number,
      },
      'no-loop': {
        ok: fast.length <= 1 && mints.length <= 60,
        seen: `${mints.length} mints, ${fast.length} without a pause`,
        exchange: fast[1]?.next.number,
      },
    });
  },
});

export const staleSignIn = agentScenario({
  id: 'agent-stale-sign-in',
  title: 'The sign-in at the provider is too old for a mint',
  checks: {
    'signs-in-again': 'At insufficient_user_authentication the agent signs its user in again.',
  },
  blockedBy: ['agent-id-jag.mints', 'agent-id-jag.signs-in'],
  async run(judge, world) {
    const { provider, facts } = await providerAndService(world);
    provider.on('mint', ({ nth }, next) =>
      nth === 1
        ? refusal(400, { error: 'insufficient_user_authentication', max_age: 3600 })
        : next(),
    );
    const run = await world.run('call', facts);
    judge.table(run, { 'signs-in-again': signInAfter(needMints(run)[0], run) });
  },
});

/** The agent began another sign-in after this request. */
function signInAfter(request: ReceivedRequest, run: ObservedRun): Reading {
  const again = ofKind(run.traffic, 'device').some(({ number }) => number > request.number);
  return { ok: again, seen: `no sign-in (${ending(run)})`, exchange: request.number };
}

/** @throws CannotTest when the agent never tried to mint. */
function needMints(run: ObservedRun): readonly [ReceivedRequest, ...ReceivedRequest[]] {
  const [first, ...others] = ofKind(run.traffic, 'mint');
  need(first, 'The agent asked the provider for no ID-JAG', run);
  return [first, ...others];
}

export const loginRequired = agentScenario({
  id: 'agent-login-required',
  title: 'The service requires a newer sign-in than that of the ID-JAG',
  checks: {
    'not-repeated': 'The agent does not send the refused ID-JAG again.',
  },
  blockedBy: ['agent-id-jag.mints', 'agent-id-jag.signs-in', 'agent-id-jag.registers'],
  async run(judge, world) {
    const { service, facts } = await providerAndService(world);
    const challenge = 'AgentAuth error="login_required", max_age="60"';
    service.on('identity', ({ nth }, next) =>
      nth === 1
        ? refusal(401, { error: 'login_required', max_age: 60 }, { 'www-authenticate': challenge })
        : next(),
    );
    const run = await world.run('call', facts);
    const [first, second] = registrations(run.traffic);
    need(first, 'The agent did not register', run);
    const isSame = second?.member('assertion') === first.member('assertion');
    judge.table(run, {
      'not-repeated': without(isSame ? second : undefined, 'The same ID-JAG again.'),
    });
  },
});

export const lostAnswer = agentScenario({
  id: 'agent-lost-answer',
  title: 'The answer to a registration with an ID-JAG is lost',
  checks: { 'minted-anew': 'After a lost answer the agent never sends the same ID-JAG again.' },
  blockedBy: ['agent-id-jag.mints', 'agent-id-jag.signs-in', 'agent-id-jag.registers'],
  async run(judge, world) {
    const { service, facts } = await providerAndService(world);
    service.on('identity', async ({ nth }, next) => {
      const reply = await next();
      return nth === 1 ? 'drop' : reply;
    });
    await world.run('call', facts);
    const last = await world.run('call', facts);
    const sent = service.requests('identity');
    need(sent.length > 0, 'The agent did not register', last);
    const twice = repeated(sent, (each) => each.member('assertion'));
    judge.table(service, { 'minted-anew': without(twice, 'The same ID-JAG again.') });
  },
});

export const endedRegistration = agentScenario({
  id: 'agent-ended-registration',
  title: 'The service has ended the registration of a user who is signed in at the provider',
  checks: {
    once: 'The agent registers again at most once, and stops.',
    'not-over': 'The agent presents no expired ID-JAG.',
  },
  blockedBy: ['agent-id-jag.calls'],
  async run(judge, world) {
    const { service, facts } = await providerAndService(world, { idJag: 2000 });
    await mustCall(world, service, facts);
    await world.harness.sleep(2500);
    const old = new Set(world.secrets().map(({ value }) => value));
    let isEnded = true;
    const dead = (text: string | undefined) => text !== undefined && old.has(text);
    service.on('exchange', ({ received }, next) =>
      isEnded && dead(received.member('assertion'))
        ? refusal(400, { error: 'invalid_grant' })
        : next(),
    );
    service.on('resource', ({ received }, next) =>
      isEnded && dead(received.bearer) ? invalidToken(service) : next(),
    );
    const run = await world.run('call', facts);
    const made = registrations(run.traffic);
    const expired = made.find((each) => {
      const exp = openJwt(each.member('assertion') ?? '')?.claims['exp'];
      return typeof exp === 'number' && exp * 1000 <= each.at;
    });
    judge.table(run, {
      'not-over': made.length === 0 ? undefined : without(expired, 'It had expired.'),
    });
    isEnded = false;
    service.onCall(() => invalidToken(service));
    const last = await world.run('call', { ...facts, limit: 30_000 });
    judge.table(last, { once: atMost(1, 'registration', registrations(last.traffic), last) });
  },
});
