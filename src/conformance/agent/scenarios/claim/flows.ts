import { CannotTest } from '../../../engine/judge.ts';
import { agentScenario } from '../../agent-scenario.ts';
import { changeJson, ofKind } from '../../agent-world.ts';
import {
  gaps,
  goodCall,
  listed,
  needPolls,
  needTraffic,
  registrations,
  seconds,
  squeezed,
  TOLERANCE,
} from '../../steps/traffic.ts';

const DAY = 86_400_000;

export const claimFlow = agentScenario({
  id: 'agent-claim',
  title: 'A person claims an anonymous registration while the agent waits',
  checks: {
    starts: 'The agent opens an attempt with its claim token and the email of the person.',
    'exact-body': 'The claim endpoint is sent claim_token and email and nothing else.',
    polls: 'The agent polls the token endpoint with the claim grant and its claim token.',
    'keeps-polling': 'The agent goes on polling while the answer is authorization_pending.',
    pace: 'The agent leaves at least the interval between two polls.',
    'shows-code': 'The agent shows its user the code.',
    'shows-address': 'The agent shows its user the address of the page as text.',
    'code-apart': 'The agent gives the code apart from the link.',
    'code-as-text': 'The agent keeps leading zeros and letters of a code.',
    'leaves-typing': 'The agent leaves signing in and typing the code to the person.',
    'calls-claimed': 'After the claim the agent calls with a token of the claim.',
    'second-assertion': 'The agent goes on with the assertion that the claim gave it.',
  },
  async run(judge, world) {
    const service = await world.service();
    const [one, two] = [world.invented.capitals(), world.invented.capitals()];
    const code = `00${one.slice(0, 1)}-0${two.slice(0, 1)}7`;
    const plain = code.replace('-', '');
    service.on('claim', async (_ask, next) => {
      const reply = await next();
      if (!(reply instanceof Response) || !reply.ok) return reply;
      const body = (await reply.json()) as { claim_attempt: { verification_uri: string } };
      const { claim_attempt: attempt } = body;
      const complete = withCode(attempt.verification_uri, code);
      return Response.json({
        ...body,
        claim_attempt: { ...attempt, user_code: code, verification_uri_complete: complete },
      });
    });
    service.completeAtPoll(4);
    const run = await world.run('claim', { service });
    needTraffic(run);
    const [registered] = registrations(run.traffic);
    const token = registered?.answered?.['claim_token'];
    const [started] = ofKind(run.traffic, 'claim');
    judge.expect(
      'starts',
      started?.member('claim_token') === token &&
        started?.member('email')?.toLowerCase() === world.email,
      listed(ofKind(run.traffic, 'claim')),
      { exchange: started?.number },
    );
    if (started === undefined) throw new CannotTest('The agent opened no claim attempt.');
    const members = Object.keys(started.json ?? {}).toSorted();
    judge.expect(
      'exact-body',
      members.join() === 'claim_token,email',
      members.join(', ') || 'no JSON object',
      { exchange: started.number },
    );
    const attempt = started.answered?.['claim_attempt'] as
      | { verification_uri?: string }
      | undefined;
    const uri = attempt?.verification_uri ?? '';
    judge.expect('shows-address', run.output.includes(uri), 'It is not there.', {
      expected: `${originOf(uri)}/… in full, in the output`,
    });
    const withoutLinks = run.output.replace(/https?:\/\/\S+/g, ' ');
    judge.expect('shows-code', squeezed(withoutLinks).includes(plain.slice(2)), 'It is not there.');
    judge.expect('code-as-text', squeezed(withoutLinks).includes(plain), 'Another text, or none.', {
      expected: `the code ${code} with its zeros and letters`,
    });
    const links = run.output.match(/https?:\/\/\S+/g) ?? [];
    const linked = links.some(
      (link) => link.includes('user_code=') || squeezed(link).includes(plain),
    );
    judge.expect(
      'code-apart',
      !linked,
      'A link with the code: who follows it does not look at what they approve.',
    );
    const pages = ofKind(run.traffic, 'page');
    judge.expect('leaves-typing', pages.length === 0, listed(pages), {
      exchange: pages.at(0)?.number,
    });

    const polls = needPolls(run);
    judge.expect(
      'polls',
      polls.every((poll) => poll.form.get('claim_token') === token),
      'Another claim token, or none.',
      { exchange: polls.find((poll) => poll.form.get('claim_token') !== token)?.number },
    );
    judge.expect('keeps-polling', polls.length >= 4, `${polls.length} polls`, {
      exchange: polls.at(-1)?.number,
    });
    for (const { ms, next } of gaps(polls)) {
      judge.expect('pace', ms >= 1000 - TOLERANCE, seconds(ms), { exchange: next.number });
    }
    if (polls.length < 4) return;
    const claimed = goodCall(run.traffic);
    const lastPoll = polls.at(-1)?.number ?? 0;
    judge.expect(
      'calls-claimed',
      claimed !== undefined && claimed.number > lastPoll,
      listed(ofKind(run.traffic, 'resource')),
    );
    if (claimed === undefined) return;

    // The token of the claim is over by now; the assertion of the claim is not.
    await world.harness.sleep(10);
    let refusals = 0;
    service.on('resource', async ({ received }, next) => {
      if (received.bearer !== claimed.bearer) return next();
      refusals += 1;
      return next().then(() => unauthorized());
    });
    const again = await world.run('call', { service });
    const second = polls.at(-1)?.answered?.['identity_assertion'];
    const exchanged = ofKind(again.traffic, 'exchange');
    if (refusals === 0 && exchanged.length === 0) {
      throw new CannotTest('In the second run the agent made no call.');
    }
    judge.expect(
      'second-assertion',
      exchanged.length > 0 && exchanged.every((each) => each.member('assertion') === second),
      exchanged.length === 0 ? 'no exchange' : 'another assertion was exchanged',
      { exchange: exchanged.at(0)?.number },
    );
  },
});

function unauthorized(): Response {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
  return new Response(null, { status: 401, headers });
}

export const serviceAuth = agentScenario({
  id: 'agent-service-auth',
  title: 'The agent registers for a person whose email it knows',
  checks: {
    registers: 'The agent registers as `service_auth` with the address as `login_hint`.',
    'one-hint': 'The registration carries exactly one hint, and it is a string.',
    polls: 'The agent polls the claim grant for the attempt that came with the registration.',
    calls: 'After the claim the agent calls with a token of the claim.',
  },
  async run(judge, world) {
    const service = await world.service();
    service.completeAtPoll(2);
    const run = await world.run('claim', { service, type: 'service_auth' });
    needTraffic(run);
    const [registered] = registrations(run.traffic);
    const body = registered?.json ?? {};
    judge.expect(
      'registers',
      body['type'] === 'service_auth' && body['login_hint'] === world.email,
      `type ${String(body['type'])}, login_hint ${JSON.stringify(body['login_hint'])}`,
      { expected: `type service_auth and login_hint ${world.email}`, exchange: registered?.number },
    );
    const hints = Object.keys(body).filter((name) => /hint|^email$/.test(name));
    judge.expect(
      'one-hint',
      hints.length === 1 && typeof body[hints[0] ?? ''] === 'string',
      hints.join(', ') || 'no hint',
      { exchange: registered?.number },
    );
    const polls = needPolls(run);
    const token = registered?.answered?.['claim_token'];
    judge.expect(
      'polls',
      polls.every((poll) => poll.form.get('claim_token') === token),
      'Another claim token, or none.',
      { exchange: polls.at(0)?.number },
    );
    judge.expect(
      'calls',
      goodCall(run.traffic) !== undefined,
      listed(ofKind(run.traffic, 'resource')),
    );
  },
});

export const grantName = agentScenario({
  id: 'agent-grant-name',
  title: 'The claim grant has the name of another vendor',
  checks: {
    'other-label': 'The agent takes the name of the claim grant from the metadata.',
    ending: 'The agent knows the claim grant by either of its two endings.',
    'named-first': 'The agent prefers `claim_grant_type` to what it finds in the list.',
  },
  async run(judge, world) {
    const { invented } = world;
    const named = `urn:${invented.word()}:${invented.word()}`;
    const grants = [
      ['other-label', `urn:${invented.word()}:agent-auth:grant-type:claim`, {}],
      ['ending', `urn:${invented.word()}:agent-auth:grant-type:claim_token`, {}],
      ['named-first', named, { claim_grant_type: named }],
    ] as const;
    for (const [check, grant, members] of grants) {
      const service = await world.service();
      service.on(
        'server_metadata',
        changeJson((body) => ({
          ...body,
          grant_types_supported:
            check === 'named-first'
              ? body['grant_types_supported']
              : ['urn:ietf:params:oauth:grant-type:jwt-bearer', grant],
          agent_auth: { ...(body['agent_auth'] as object), ...members },
        })),
      );
      // The mock knows its own name alone.
      service.on('poll', ({ body }, next) => {
        const form = new URLSearchParams(body);
        if (form.get('grant_type') !== grant) return next();
        form.set('grant_type', 'urn:vendor:agent-auth:grant-type:claim');
        return next({ body: form.toString() });
      });
      service.completeAtPoll(1);
      const run = await world.run('claim', { service });
      const [poll] = needPolls(run);
      judge.expect(
        check,
        poll?.form.get('grant_type') === grant,
        poll?.form.get('grant_type') ?? 'no grant_type',
        { expected: grant, exchange: poll?.number },
      );
    }
  },
});

export const clockJump = agentScenario({
  id: 'agent-clock-jump',
  title: 'The clock of the server jumps while the agent polls',
  checks: {
    pace: 'The agent keeps its pace when the `Date` of the server jumps.',
  },
  async run(judge, world) {
    for (const sign of [1, -1]) {
      const service = await world.service({ interval: 1 });
      service.on('poll', async ({ at, nth }, next) => {
        const reply = await next();
        if (!(reply instanceof Response)) return reply;
        const headers = new Headers(reply.headers);
        headers.set('date', new Date(at + sign * nth * DAY).toUTCString());
        return new Response(reply.body, { status: reply.status, headers });
      });
      service.completeAtPoll(3);
      const run = await world.run('claim', { service });
      const polls = needPolls(run);
      judge.expect('pace', polls.length > 0, 'none');
      for (const { ms, next } of gaps(polls)) {
        judge.expect('pace', ms >= 1000 - TOLERANCE && ms < 30_000, seconds(ms), {
          exchange: next.number,
        });
      }
    }
  },
});

function withCode(link: string, code: string): string {
  const complete = new URL(link);
  complete.searchParams.set('user_code', code);
  return complete.href;
}

/** The rest of a link may name its attempt. */
function originOf(link: string): string {
  return URL.canParse(link) ? new URL(link).origin : 'the address';
}
