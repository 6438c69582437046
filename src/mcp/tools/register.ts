import * as z from 'zod';
import type { RegisterOutcome, RegisterRequest, Registration } from '../../agent/index.ts';
import { findServiceRecord } from '../../agent/records/select-service.ts';
import type { IdentityType } from '../../protocol/index.ts';
import type { JsonMembers } from '../answer/answer.ts';
import { needsUser } from '../describe/at-provider.ts';
import { claimOpenAnswer } from '../describe/ceremony.ts';
import { claimedAnswer, claimFailure } from '../describe/claim-end.ts';
import {
  endedLine,
  idText,
  registrationJson,
  scopesJson,
  secondsUntil,
  serviceJson,
  warningsJson,
} from '../describe/registration.ts';
import { requireConsent } from '../errors/access-ended.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import { chooseService, givenUrl } from '../service/choose-service.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import type { ToolCall } from '../world/tool-call.ts';
import { ACTS } from './annotations.ts';
import { email, provider, service, type } from './inputs.ts';
import * as out from './outputs.ts';

const input = z.strictObject({
  service,
  type,
  email,
  provider: provider.optional(),
  new: z
    .boolean()
    .describe(
      'true: make another registration, even if there is one. Default false: what is there is used.',
    )
    .optional(),
});

export const register = defineTool({
  name: 'register',
  title: 'Register at a service',
  description:
    'Registers this agent at a service, as one step alone; connect does this and all that follows. With nothing: anonymously. With email: for that user, who has to confirm. With provider: for the user who is signed in there. A registration of that type and user that the service still has is used again.',
  input,
  output: out.output(['registered', 'pending', 'claimed', 'consent_required'], {
    already: z.boolean().describe('true: nothing new was registered.'),
    service: z.looseObject({ issuer: z.string(), resource: z.string() }),
    registration: out.registration,
    scopes: out.scopes,
    claim: out.claim.nullable(),
    untrusted_warnings: out.warnings,
    previous_registration_id: z.string().nullable(),
  }),
  annotations: ACTS,
  isReading: false,
  run: async (world, given, call) => {
    const named = await chooseService(world, call, given.service);
    // The host has shown the page of what was registered: that goes on, nothing is registered anew.
    if (call.isReturn && !(await isBefore(world, call, named, given))) {
      return goOn(world, call, named);
    }
    const over = await requireConsent(world, named, given);
    const request = await requestOf(world, call, named, given);
    const outcome = await world.agent.register({
      ...request,
      reuse: true,
      anew: given.new,
      signal: call.signal,
    });
    if (outcome.status === 'login_required' || outcome.status === 'consent_required') {
      const { provider: at } = given;
      return needsUser(world, outcome, nextTool('register', { service: named, provider: at }));
    }
    return registeredAnswer(world, outcome, over);
  },
});

type Given = z.infer<typeof input>;

async function requestOf(
  world: McpWorld,
  { signal, tool }: ToolCall,
  named: string,
  { type: wanted, email: loginHint, provider: at }: Given,
): Promise<RegisterRequest> {
  if (loginHint !== undefined && at !== undefined) {
    throw new ToolError('The arguments email and provider cannot be combined.', {
      code: 'wrong_arguments',
      hint: 'Give email for service_auth, provider for identity_assertion.',
      next: nextTool(tool, { service: named, email: loginHint }),
    });
  }
  const kind: IdentityType =
    wanted ??
    (at !== undefined
      ? 'identity_assertion'
      : loginHint !== undefined
        ? 'service_auth'
        : 'anonymous');
  const missing = (argument: string) =>
    new ToolError(`The type ${kind} needs the argument ${argument}.`, {
      code: 'answer_missing',
      hint:
        argument === 'email'
          ? 'Ask the user for their email address.'
          : 'Ask the user which provider they use.',
      next: nextTool(tool, { service: named, type: kind }, [argument]),
    });
  if (kind === 'anonymous') return { service: named, type: kind };
  if (kind === 'service_auth') {
    if (loginHint === undefined) throw missing('email');
    return { service: named, type: kind, loginHint };
  }
  if (at === undefined) throw missing('provider');
  const discovery = await world.agent.discover({ address: named }, { signal });
  const { scopes } = discovery.service;
  return {
    service: discovery,
    type: kind,
    provider: givenUrl(world, at, 'provider'),
    scopes: scopes.length === 0 ? undefined : scopes,
  };
}

function registeredAnswer(
  world: McpWorld,
  outcome: Exclude<RegisterOutcome, { status: 'login_required' | 'consent_required' }>,
  over: Registration | undefined,
): ToolAnswer {
  const { registration, service: at, already, warnings, previous } = outcome;
  const resource = registration.resource;
  const data: JsonMembers = {
    already,
    service: serviceJson(world, at),
    registration: registrationJson(world, registration),
    previous_registration_id: previous == null ? null : idText(world, previous),
    untrusted_warnings: warningsJson(world, warnings),
  };
  const made = already
    ? 'Already registered: nothing new was registered.'
    : 'Registered at the service.';
  const ended = [...(over === undefined ? [] : [over]), ...outcome.ended];
  const gone = ended.length > 0 ? [endedLine(world, ended)] : [];
  switch (outcome.status) {
    case 'claim_pending':
      return claimOpenAnswer(world, {
        lines: [
          ...gone,
          made,
          outcome.reason === 'interaction_required'
            ? 'The service has an account with that email address: its user has to confirm the link.'
            : 'It grants nothing until a user claims it.',
        ],
        data: { ...data, reason: outcome.reason },
        registration,
        ceremony: outcome.ceremony,
      });
    case 'claim_needed': {
      const user = registration.claim?.email ?? registration.email ?? undefined;
      const next = nextTool('start_claim', { service: resource, email: user }, [
        ...(user === undefined ? ['email'] : []),
        ...(outcome.reason === 'denied' ? ['renew'] : []),
      ]);
      return {
        lines: [...gone, made, NEEDED_TEXT[outcome.reason], nextText(next)],
        data: {
          status: 'pending',
          ...data,
          reason: outcome.reason,
          claim: null,
          next: nextJson(next),
        },
      };
    }
    case 'registered': {
      const { token } = outcome;
      const next = nextTool('call', { service: resource }, ['target']);
      return {
        lines: [...gone, made, nextText(next)],
        data: {
          status: 'registered',
          ...data,
          scopes: scopesJson(world, token.scopes ?? registration.preClaimScopes),
          token_expires_in_seconds: secondsUntil(world, registration.issuer, token.expiresAt),
          next: nextJson(next),
        },
      };
    }
  }
}

const NEEDED_TEXT = {
  denied: 'Its user denied the claim. Ask again only if the user says that this was a mistake.',
  lapsed: 'The last code has expired. Ask the user whether they want another one.',
  not_started: 'It grants nothing until a user claims it.',
} as const;

/** Whether the page that the host has shown was the provider's, before anything was registered. */
async function isBefore(
  world: McpWorld,
  { signal }: ToolCall,
  named: string,
  { provider: at }: Given,
): Promise<boolean> {
  if (at === undefined) return false;
  if (findServiceRecord(await world.store.read(), named) === undefined) return true;
  const { status, registration } = await world.agent.resumeClaim({ service: named, signal });
  return status !== 'open' || registration.type !== 'identity_assertion';
}

/** What has become of the claim that the host has shown. */
async function goOn(world: McpWorld, { signal }: ToolCall, named: string): Promise<ToolAnswer> {
  const known = await world.agent.resumeClaim({ service: named, signal });
  const { registration } = known;
  switch (known.status) {
    case 'open':
      return claimOpenAnswer(world, {
        lines: ['Registered at the service. It grants nothing until a user claims it.'],
        data: { registration: registrationJson(world, registration) },
        ...{ registration, ceremony: known.ceremony },
      });
    case 'already_claimed':
      return claimedAnswer(world, registration, registration.token);
    case 'not_started':
      throw new ToolError('No claim is open for this registration.', {
        code: 'no_claim_open',
        next: nextTool('start_claim', { service: registration.resource }, ['email']),
      });
    default:
      throw claimFailure(world, known.status, registration);
  }
}
