import type { RegisterOutcome, RegisterRequest, Registration } from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { type Answer, nextTool, ToolError } from '../answer/answer.ts';
import { claimOpenAnswer, needsUser } from '../describe/ceremony.ts';
import { type Asked, requireConsent } from '../errors/access-ended.ts';
import { askUser, chooseService, givenUrl } from '../service/choose-service.ts';
import { ACTS, defineTool, type ToolCall } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { email, flag, provider, service, type } from './schema.ts';

export const register = defineTool({
  name: 'register',
  title: 'Register at a service',
  description:
    'Registers this agent at a service, as one step alone; connect does this and all that follows. With nothing: anonymously. With email: for that user, who has to confirm. With provider: for the user who is signed in there. A registration of that type and user that the service still has is used again.',
  input: {
    service,
    type,
    email,
    provider: provider.optional(),
    new: flag(
      'true: make another registration, even if there is one. Default false: what is there is used.',
    ),
  },
  annotations: ACTS,
  run: async (world, given, call) => {
    const named = await chooseService(world, call, given.service);
    const over = await requireConsent(world, named, given);
    const request = await requestOf(world, call, named, given);
    const outcome = await world.agent.register({
      ...request,
      reuse: true,
      anew: given.new,
      signal: call.signal,
    });
    if (outcome.status === 'login_required' || outcome.status === 'consent_required') {
      const again = { service: named, provider: given.provider };
      return needsUser(world, outcome, nextTool('register', again));
    }
    return registeredAnswer(world, outcome, over);
  },
});

async function requestOf(
  world: McpWorld,
  call: ToolCall,
  named: string,
  { type: wanted, email: loginHint, provider: at }: Asked,
): Promise<RegisterRequest> {
  if (loginHint !== undefined && at !== undefined) {
    throw new ToolError('The arguments email and provider cannot be combined.', {
      code: 'wrong_arguments',
      hint: 'Give email for service_auth, provider for identity_assertion.',
    });
  }
  const byUser = loginHint === undefined ? 'anonymous' : 'service_auth';
  const kind = wanted ?? (at === undefined ? byUser : 'identity_assertion');
  const again = { service: named, type: kind };
  if (kind === 'anonymous') return { service: named, type: kind };
  if (kind === 'service_auth') {
    if (loginHint === undefined) throw askUser(call, again, 'email');
    return { service: named, type: kind, loginHint };
  }
  if (at === undefined) throw askUser(call, again, 'provider');
  const { signal } = call;
  const service = await world.agent.discover({ address: named }, { signal });
  const { scopes: offered } = service.service;
  const scopes = offered.length === 0 ? undefined : offered;
  return { service, type: kind, provider: givenUrl(world, at, 'provider'), scopes };
}

function registeredAnswer(
  world: McpWorld,
  outcome: Exclude<RegisterOutcome, { status: 'login_required' | 'consent_required' }>,
  over: Registration | undefined,
): Answer {
  const { registration, already, previous } = outcome;
  const at = { service: registration.resource };
  const said = [
    world.show.ended(over, ...outcome.ended),
    already ? 'Already registered: nothing new was registered.' : 'Registered at the service.',
  ];
  const data = {
    already,
    service: world.show.service(outcome.service),
    registration: world.show.registration(registration),
    previous_registration_id: world.show.id(previous),
    untrusted_warnings: world.show.warnings(outcome.warnings),
  };
  switch (outcome.status) {
    case 'claim_pending': {
      const isAsked = outcome.reason === 'interaction_required';
      const why = isAsked
        ? 'The service has an account with that email address: its user has to confirm the link.'
        : NEEDED_TEXT.not_started;
      return claimOpenAnswer(world, outcome, {
        lines: [...said, why],
        data: { ...data, reason: outcome.reason },
      });
    }
    case 'claim_needed': {
      const { reason } = outcome;
      return {
        status: 'pending',
        lines: [...said, NEEDED_TEXT[reason]],
        data: { ...data, reason, claim: null },
        next: nextTool('start_claim', { ...at, email: userOf(registration) }, [
          'email',
          ...(reason === 'denied' ? ['renew'] : []),
        ]),
      };
    }
    case 'registered': {
      const { scopes, expiresAt } = outcome.token;
      return {
        status: 'registered',
        lines: said,
        data: {
          ...data,
          scopes: world.show.scopes(scopes ?? registration.preClaimScopes),
          token_expires_in_seconds: world.show.secondsUntil(registration.issuer, expiresAt),
        },
        next: nextTool('call', at, ['target']),
      };
    }
  }
}

const NEEDED_TEXT = {
  denied: 'Its user denied the claim. Ask again only if the user says that this was a mistake.',
  lapsed: 'The last code has expired. Ask the user whether they want another one.',
  not_started: 'It grants nothing until a user claims it.',
} as const;
