import * as z from 'zod';
import { connectArgs } from '../../agent/connect/connect-run.ts';
import type { Connected, ConnectRequest, ConnectStep, Registration } from '../../agent/index.ts';
import { needsUser } from '../describe/at-provider.ts';
import { claimOpenAnswer } from '../describe/ceremony.ts';
import { claimFailure } from '../describe/claim-end.ts';
import {
  endedLine,
  idText,
  registrationJson,
  scopesJson,
  secondsLeft,
  serviceJson,
  warningsJson,
} from '../describe/registration.ts';
import { requireConsent } from '../errors/access-ended.ts';
import { explain } from '../errors/explain.ts';
import type { ToolError } from '../errors/tool-error.ts';
import { fromStep } from '../next/from-step.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import { chooseService, givenUrl } from '../service/choose-service.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { ACTS_ONCE } from './annotations.ts';
import { clientId, email, provider, scopes, service, type } from './inputs.ts';
import * as out from './outputs.ts';

export const connect = defineTool({
  name: 'connect',
  title: 'Connect to a service',
  description:
    'Gets this agent access to a service, from its URL to a working token: discovers it, registers by the lightest way that fits, starts a claim where a user has to agree, gets a token. Start here. It may be called again at any time: it goes on where it stopped, and registers nothing twice. Where a user has to act it returns at once, with what to show them and the tool that goes on. The token itself is never shown: the tool call uses it.',
  input: z.strictObject({
    service,
    email,
    provider: provider.optional(),
    client_id: clientId,
    type,
    scopes,
    claim: z
      .boolean()
      .describe(
        'true: let the user claim the registration, whatever it may do without. Needs email or provider.',
      )
      .optional(),
    new: z
      .boolean()
      .describe('true: register again after the access was ended. Only when the user agreed to it.')
      .optional(),
    prove_with: z
      .string()
      .min(1)
      .max(2048)
      .describe(
        'A path of the service, such as /api/me, that is called with GET to prove the token.',
      )
      .optional(),
  }),
  output: out.output(['connected', 'pending', 'consent_required'], {
    already: z.boolean().describe('true: all of it was there before.'),
    service: z.looseObject({ issuer: z.string(), resource: z.string() }),
    registration: out.registration,
    scopes: out.scopes,
    claim_adds: out.scopes,
    claim: out.claim,
    untrusted_warnings: out.warnings,
    more: out.next.nullable().describe('What a claim by the user would add, and the tool for it.'),
  }),
  annotations: ACTS_ONCE,
  isReading: false,
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
          call.progress({ progress: steps, message: STEP_TEXT[step.step] });
        },
      })
      .catch((error: unknown) => {
        throw stillRegistered(world, explain(error, world, call.about), seen.registered);
      });
    const before = endedLines(world, over, seen.registered);
    const args = [request.service, ...connectArgs(request)];
    const again = fromStep(
      { command: 'connect', args },
      { service: request.service, program: world.program },
    );
    switch (outcome.status) {
      case 'connected':
        return connectedAnswer(world, outcome, before);
      case 'claim_pending': {
        const { open } = outcome;
        const { registration, ceremony } = open;
        return claimOpenAnswer(world, {
          lines: [
            ...before,
            seen.registered?.already
              ? 'Registered before; a user has to agree before the agent gets the access.'
              : 'Registered; a user has to agree before the agent gets the access.',
          ],
          data: {
            service: serviceJson(world, outcome.service),
            registration: registrationJson(world, registration),
            untrusted_warnings: warningsJson(world, open.warnings),
          },
          ...{ registration, ceremony },
        });
      }
      case 'login_required':
      case 'consent_required':
        return needsUser(world, outcome, again);
      default:
        throw claimFailure(world, outcome.status, outcome.registration);
    }
  },
});

type RegisterStep = Extract<ConnectStep, { step: 'register' }>;

/** What became of earlier registrations, which a user may not know of. */
function endedLines(
  world: McpWorld,
  over: Registration | undefined,
  step: RegisterStep | undefined,
): readonly string[] {
  const ended = [...(over === undefined ? [] : [over]), ...(step?.ended ?? [])];
  return ended.length === 0 ? [] : [endedLine(world, ended)];
}

/** An error after which there is a registration that was not there before says so. */
function stillRegistered(
  world: McpWorld,
  error: ToolError,
  step: RegisterStep | undefined,
): ToolError {
  if (step === undefined || step.already) return error;
  const { registration } = step;
  const how = registration.type === 'anonymous' ? 'anonymously ' : '';
  const says = `This agent has registered ${how}at the service meanwhile: the next call goes on with that registration.`;
  return error.with({
    hint: error.hint === undefined ? says : `${error.hint} ${says}`,
    details: { ...error.details, registered: idText(world, registration) },
  });
}

const STEP_TEXT: Readonly<Record<ConnectStep['step'], string>> = {
  discover: 'Found the service.',
  register: 'Registered.',
  claim: 'A claim is open or complete.',
  exchange: 'The provider lets the client reach the service.',
  token: 'Got a token.',
  call: 'Made the call that proves the token.',
  leave: 'Left the service.',
};

function connectedAnswer(
  world: McpWorld,
  connected: Connected,
  before: readonly string[],
): ToolAnswer {
  const { already, service, registration, token, claimAdds, call, warnings } = connected;
  const next = nextTool('call', { service: service.resource }, ['target']);
  const adds = claimAdds === null || claimAdds.length > 0;
  const user = registration.claim?.email ?? registration.email ?? undefined;
  const more = adds
    ? nextTool(
        'start_claim',
        { service: service.resource, email: user },
        user === undefined ? ['email'] : [],
      )
    : undefined;
  return {
    lines: [
      ...before,
      already
        ? 'Already connected: nothing was registered.'
        : registration.crossApp === undefined
          ? 'Connected: there is a working token.'
          : 'Connected by the identity provider of the user: there is a working token.',
      ...(call === null ? [] : [`The call that proves it was answered with ${call.status}.`]),
      nextText(next),
      ...(more === undefined
        ? []
        : [
            `A claim by the user would allow more. ${nextText(more).replace(/^Next: call/, 'For that, call')}`,
          ]),
    ],
    data: {
      status: 'connected',
      already,
      service: serviceJson(world, service),
      registration: registrationJson(world, registration),
      scopes: scopesJson(world, connected.scopes),
      claim_adds: scopesJson(world, claimAdds),
      token_expires_in_seconds: secondsLeft(token.remaining),
      call: call && { url: call.url, status: call.status },
      untrusted_warnings: warningsJson(world, warnings),
      next: nextJson(next),
      more: more === undefined ? null : nextJson(more),
    },
  };
}
