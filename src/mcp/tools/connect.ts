import * as z from 'zod';
import { connectArgs } from '../../agent/connect/connect-run.ts';
import type { Connected, ConnectRequest, ConnectStep } from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { type Answer, type Lines, nextText, nextTool, type ToolError } from '../answer/answer.ts';
import { secondsLeft } from '../answer/show.ts';
import { claimOpenAnswer, needsUser } from '../describe/ceremony.ts';
import { claimFailure } from '../describe/claim.ts';
import { requireConsent } from '../errors/access-ended.ts';
import { explain } from '../errors/explain.ts';
import { fromStep } from '../errors/next-step.ts';
import { chooseService, givenUrl } from '../service/choose-service.ts';
import { ACTS_ONCE, defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { client_id, email, flag, provider, service, type, word } from './schema.ts';

export const connect = defineTool({
  name: 'connect',
  title: 'Connect to a service',
  description:
    'Gets this agent access to a service, from its URL to a working token: discovers it, registers by the lightest way that fits, starts a claim where a user has to agree, gets a token. Start here. It may be called again at any time: it goes on where it stopped, and registers nothing twice. Where a user has to act it returns at once, with what to show them and the tool that goes on. The token itself is never shown: the tool call uses it.',
  input: {
    service,
    email,
    provider: provider.optional(),
    client_id,
    type,
    scopes: z
      .array(z.string().min(1).max(200))
      .max(50)
      .describe(
        'What the token has to allow, for example ["api.read"]. Left out: whatever is given without asking a user.',
      )
      .optional(),
    claim: flag(
      'true: let the user claim the registration, whatever it may do without. Needs email or provider.',
    ),
    new: flag('true: register again after the access was ended. Only when the user agreed to it.'),
    prove_with: word(
      2048,
      'A path of the service, such as /api/me, that is called with GET to prove the token.',
    ).optional(),
  },
  annotations: ACTS_ONCE,
  run: async (world, input, call) => {
    const named = await chooseService(world, call, input.service);
    const over = await requireConsent(world, named, input);
    const request: ConnectRequest = {
      service: named,
      type: input.type,
      email: input.email,
      provider: input.provider && givenUrl(world, input.provider, 'provider'),
      client: input.client_id === undefined ? undefined : { id: input.client_id },
      scopes: input.scopes,
      // Nobody has agreed to another one but the user who is named: it is for them, whatever it may do without.
      claim: over === undefined || input.new ? input.claim : true,
      call: input.prove_with,
    };
    let steps = 0;
    const seen: { registered?: RegisterStep } = {};
    const outcome = await world.agent
      .connect({
        ...request,
        signal: call.signal,
        onStep: (step) => {
          steps += 1;
          if (step.step === 'register') seen.registered = step;
          call.progress({ progress: steps, message: `Done: ${step.step}.` });
        },
      })
      .catch((error: unknown) => {
        throw stillRegistered(world, explain(error, world, call.about), seen.registered);
      });
    const before = world.show.ended(over, ...(seen.registered?.ended ?? []));
    switch (outcome.status) {
      case 'connected':
        return connectedAnswer(world, outcome, before);
      case 'claim_pending': {
        const made = seen.registered?.already ? 'Registered before' : 'Registered';
        return claimOpenAnswer(world, outcome.open, {
          lines: [before, `${made}; a user has to agree before the agent gets the access.`],
          data: {
            service: world.show.service(outcome.service),
            untrusted_warnings: world.show.warnings(outcome.open.warnings),
          },
        });
      }
      case 'login_required':
      case 'consent_required': {
        const again = { command: 'connect', args: [named, ...connectArgs(request)] } as const;
        const about = { service: named, program: world.program };
        return needsUser(world, outcome, fromStep(again, about));
      }
      default:
        throw claimFailure(world, outcome.status, outcome.registration);
    }
  },
});

type RegisterStep = Extract<ConnectStep, { step: 'register' }>;

/** An error after which there is a registration that was not there before says so. */
function stillRegistered(
  world: McpWorld,
  error: ToolError,
  step: RegisterStep | undefined,
): ToolError {
  if (step === undefined || step.already) return error;
  const { hint, details } = error.facts;
  const how = step.registration.type === 'anonymous' ? 'anonymously ' : '';
  const says = `This agent has registered ${how}at the service meanwhile: the next call goes on with that registration.`;
  return error.with({
    hint: hint === undefined ? says : `${hint} ${says}`,
    details: { ...details, registered: world.show.id(step.registration) },
  });
}

function connectedAnswer(
  world: McpWorld,
  connected: Connected,
  before: string | undefined,
): Answer {
  const { already, service: at, registration, claimAdds, call, warnings } = connected;
  const made =
    registration.crossApp === undefined
      ? 'Connected'
      : 'Connected by the identity provider of the user';
  const user = { service: at.resource, email: userOf(registration) };
  const adds = claimAdds === null || claimAdds.length > 0;
  const more = adds ? nextTool('start_claim', user, ['email']) : null;
  const lines: Lines = [
    before,
    already ? 'Already connected: nothing was registered.' : `${made}: there is a working token.`,
    call === null ? undefined : `The call that proves it was answered with ${call.status}.`,
    more === null
      ? undefined
      : `A claim by the user would allow more. ${nextText(more).replace(/^Next: call/, 'For that, call')}`,
  ];
  return {
    status: 'connected',
    lines,
    data: {
      already,
      service: world.show.service(at),
      registration: world.show.registration(registration),
      scopes: world.show.scopes(connected.scopes),
      claim_adds: world.show.scopes(claimAdds),
      token_expires_in_seconds: secondsLeft(connected.token.remaining),
      call: call && { url: call.url, status: call.status },
      untrusted_warnings: world.show.warnings(warnings),
      more,
    },
    next: nextTool('call', { service: at.resource }, ['target']),
  };
}
