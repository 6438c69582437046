import { agentScenario, changeAttempt, changeJson, ending, ofKind } from '../../agent-world.ts';
import { isResponse } from '../../peer.ts';
import {
  allWith,
  attemptRows,
  calledClaimed,
  emailRows,
  exchangedSecond,
} from '../../steps/claim-rows.ts';
import { invalidToken } from '../../steps/ended-access.ts';
import { called, none, noneEarlier, pauses, without } from '../../steps/rows.ts';
import {
  gaps,
  goodCall,
  need,
  needAttempts,
  needPolls,
  needTraffic,
  registrations,
  seconds,
  squeezed,
} from '../../steps/traffic.ts';

const DAY = 86_400_000;

export const claimFlow = agentScenario({
  id: 'agent-claim',
  title: 'A user claims an anonymous registration while the agent waits',
  checks: {
    starts: 'The agent opens an attempt with its claim token and the email of the user.',
    polls:
      'The agent polls the token endpoint with the claim grant and its claim token, form-encoded.',
    'keeps-polling': 'The agent continues polling while the answer is authorization_pending.',
    pace: 'The agent waits for at least `interval` between two polls.',
    'shows-code': 'The agent shows its user the code.',
    'shows-address': 'The agent shows its user the URL of the page as text.',
    'code-apart': 'The agent shows no link that contains the code: its user has to type it.',
    'code-as-text': 'The agent shows a code of digits with its leading zeros.',
    'leaves-typing': 'The agent leaves signing in and typing the code to the user.',
    'calls-claimed': 'After the claim the agent calls with a token of the claim.',
    'second-assertion': 'After the claim the agent exchanges the assertion that came with it.',
  },
  resting: {
    'agent-call.registers': ['starts'],
    'agent-claim.starts': ['polls'],
    'agent-claim.polls': ['keeps-polling', 'pace'],
    'agent-claim.shows-code': ['code-as-text'],
    'agent-claim.shows-address': ['code-apart'],
    'agent-claim.keeps-polling': ['calls-claimed'],
    'agent-call.calls': ['calls-claimed'],
    'agent-claim.calls-claimed': ['second-assertion'],
  },
  blockedBy: ['agent-call.registers'],
  costly: true,
  async run(judge, world) {
    const service = await world.service();
    const digits = Array.from({ length: 6 }, () =>
      world.invented.pick(['2', '3', '5', '7', '8', '9']),
    );
    const code = `00${digits.join('')}`;
    service.on(
      'claim',
      changeAttempt((attempt) => ({
        user_code: code,
        verification_uri_complete: withCode(String(attempt['verification_uri']), code),
      })),
    );
    service.completeAtPoll(4);
    const run = await world.run('claim', { service });
    needTraffic(run);
    const [registered] = registrations(run.traffic);
    const token = registered?.answered?.['claim_token'];
    const rows = attemptRows(run.traffic, world.email);
    judge.table(run.traffic, { starts: rows.starts });
    const [started] = needAttempts(run);
    const attempt = started.answered?.['claim_attempt'] as
      | { verification_uri?: string }
      | undefined;
    const uri = attempt?.verification_uri ?? '';
    const shown = squeezed(run.output.replace(/https?:\/\/\S+/g, ' '));
    const links = run.output.match(/https?:\/\/\S+/g) ?? [];
    if (links.length === 0) judge.untestable('code-apart', 'The agent showed no link.');
    const linked = links.some(
      (link) => link.includes('user_code=') || squeezed(link).includes(code),
    );
    judge.table(run, {
      'shows-address': {
        ok: run.output.includes(uri),
        seen: `not in the output: ${originOf(uri)}/…`,
      },
      'shows-code': { ok: shown.includes(digits.join('')), seen: 'not in the output' },
      'code-as-text': {
        ok: shown.includes(code),
        seen: 'in the output without its leading zeros',
      },
      'code-apart':
        links.length === 0 ? undefined : { ok: !linked, seen: 'a link that contains the code' },
      'leaves-typing': none(ofKind(run.traffic, 'page')),
    });

    const polls = needPolls(run);
    judge.table(run.traffic, {
      polls: allWith(token, polls),
      'keeps-polling': {
        ok: polls.length >= 4,
        seen: `${polls.length} polls`,
        exchange: polls.at(-1)?.number,
      },
      pace: pauses(polls, 1000),
    });
    need(polls.length >= 4, `The agent stopped after ${polls.length} polls`, run);
    const claimed = goodCall(run.traffic);
    judge.table(run.traffic, { 'calls-claimed': calledClaimed(run.traffic, ending(run)) });
    need(claimed, 'The agent made no call after the claim', run);

    // From here on the token of the claim is refused; its assertion is good.
    await world.harness.sleep(10);
    let refusals = 0;
    service.on('resource', async ({ received }, next) => {
      if (received.bearer !== claimed.bearer) return next();
      refusals += 1;
      return invalidToken(service);
    });
    const again = await world.run('call', { service });
    const exchanged = ofKind(again.traffic, 'exchange');
    const isMade = refusals > 0 || exchanged.length > 0;
    need(isMade, 'The agent made no call in the second run', again);
    judge.table(again.traffic, { 'second-assertion': exchangedSecond(exchanged, polls) });
  },
});

export const serviceAuth = agentScenario({
  id: 'agent-service-auth',
  title: 'The agent registers for a user whose email it knows',
  checks: {
    registers: 'The agent registers as `service_auth` with the email as `login_hint`.',
    'one-hint': 'The registration carries exactly one hint, and it is a string.',
    polls: 'The agent polls the claim grant for the attempt that came with the registration.',
    calls: 'After the claim the agent calls with a token of the claim.',
  },
  resting: {
    'agent-call.two-hops': ['registers'],
    'agent-service-auth.polls': ['calls'],
    'agent-service-auth.registers': ['one-hint', 'polls', 'calls'],
    'agent-call.calls': ['calls'],
  },
  blockedBy: ['agent-call.two-hops'],
  async run(judge, world) {
    const service = await world.service();
    service.completeAtPoll(2);
    const run = await world.run('claim', { service, type: 'service_auth' });
    needTraffic(run);
    const [registered] = registrations(run.traffic);
    judge.table(registered, emailRows(registered, world.email));
    const polls = needPolls(run);
    judge.table(run.traffic, {
      polls: allWith(registered?.answered?.['claim_token'], polls),
      calls: called(run),
    });
  },
});

export const grantName = agentScenario({
  id: 'agent-grant-name',
  title: 'The claim grant is named by another vendor',
  checks: {
    'other-label': 'The agent takes the name of the claim grant from the metadata.',
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  async run(judge, world) {
    const grant = `urn:${world.invented.word()}:agent-auth:grant-type:claim`;
    const service = await world.service();
    service.on(
      'server_metadata',
      changeJson((body) => ({
        ...body,
        grant_types_supported: ['urn:ietf:params:oauth:grant-type:jwt-bearer', grant],
        agent_auth: { ...(body['agent_auth'] as object), claim_grant_type: undefined },
      })),
    );
    // The mock serves its own grant name only.
    service.on('poll', ({ body }, next) => {
      const form = new URLSearchParams(body);
      if (form.get('grant_type') !== grant) return next();
      form.set('grant_type', 'urn:vendor:agent-auth:grant-type:claim');
      return next({ body: form.toString() });
    });
    service.completeAtPoll(1);
    const run = await world.run('claim', { service });
    const [poll] = needPolls(run);
    const sent = poll?.form.get('grant_type');
    const row = { ok: sent === grant, seen: sent ?? 'no grant_type', exchange: poll?.number };
    judge.table(poll, { 'other-label': row }, { case: grant });
  },
});

export const clockJump = agentScenario({
  id: 'agent-clock-jump',
  title: "The server's clock jumps while the agent polls",
  checks: {
    pace: "The agent keeps its interval when the server's `Date` jumps.",
  },
  blockedBy: ['agent-claim.polls', 'agent-claim.starts'],
  costly: true,
  async run(judge, world) {
    for (const sign of [1, -1]) {
      await world.harness.forget();
      const service = await world.service({ interval: 1 });
      service.on('poll', async ({ at, nth }, next) => {
        const reply = await next();
        if (!isResponse(reply)) return reply;
        const headers = new Headers(reply.headers);
        headers.set('date', new Date(at + sign * nth * DAY).toUTCString());
        return new Response(reply.body, { status: reply.status, headers });
      });
      service.completeAtPoll(3);
      const run = await world.run('claim', { service });
      const polls = needPolls(run);
      const late = gaps(polls).find(({ ms }) => ms >= 30_000);
      const early = noneEarlier(polls, 1000);
      judge.table(polls, { pace: [early, without(late?.next, seconds(late?.ms ?? 0))] });
    }
  },
});

function withCode(link: string, code: string): string {
  const complete = new URL(link);
  complete.searchParams.set('user_code', code);
  return complete.href;
}

/** The path of the link may be a secret. */
function originOf(link: string): string {
  return URL.canParse(link) ? new URL(link).origin : 'the URL';
}
