import * as z from 'zod';
import type { RegistrationStatus, ServiceStatus, Status } from '../../agent/index.ts';
import type { JsonMembers } from '../answer/answer.ts';
import { foreignLine, foreignWord } from '../answer/foreign-text.ts';
import {
  registrationJson,
  scopesJson,
  secondsLeft,
  serviceJson,
  userText,
} from '../describe/registration.ts';
import { connectAnew } from '../errors/access-ended.ts';
import { type Next, nextJson, nextText, nextTool } from '../next/next.ts';
import { defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import * as out from './outputs.ts';

export const getStatus = defineTool({
  name: 'get_status',
  title: 'Show the registrations of this agent',
  description:
    'Shows every registration on this machine: service, state, user, scopes, how long token and claim last, and sign-ins at providers. Reads the credential file alone, unless check is true. No secret is in it. Call it first when it is not clear what there is.',
  input: z.strictObject({
    check: z
      .boolean()
      .describe(
        'true: ask each service for its time first, so that what has expired is seen. Default false: no request.',
      )
      .optional(),
  }),
  output: out.output(['registered', 'empty'], {
    in_use: z.string().nullable().describe('The service that tools take when none is named.'),
    services: z.array(
      z.looseObject({ resource: z.string(), registrations: z.array(out.registration) }),
    ),
    providers: z.array(z.looseObject({ issuer: z.string() })),
    read_only: z.boolean(),
  }),
  // With check, it asks the services.
  annotations: { readOnlyHint: true, openWorldHint: true },
  isReading: true,
  run: async (world, { check = false }, call) => {
    const status = await world.agent.status({ checkClocks: check, signal: call.signal });
    const all = status.services.flatMap(({ registrations }) => registrations);
    const next = all.length === 0 ? nextTool('connect', {}, ['service']) : goOn(status);
    const inUse = world.service ?? status.lastService;
    return {
      lines: [
        ...(all.length === 0 ? ['No registration is stored on this machine.'] : []),
        ...(status.environmentToken
          ? ['AGENT_AUTH_TOKEN is set: calls use that token, whatever is stored.']
          : []),
        ...all.map((one) => lineOf(world, one)),
        ...(inUse === null ? [] : [`In use where no service is named: ${inUse}.`]),
        ...(status.notUnderstood.length === 0
          ? []
          : ['Answers that were not understood are kept: not_understood.']),
        ...(next === undefined || world.readOnly ? [] : [nextText(next)]),
      ],
      data: {
        status: all.length === 0 ? 'empty' : 'registered',
        in_use: inUse,
        environment_token: status.environmentToken,
        only: world.only ?? null,
        read_only: world.readOnly,
        services: status.services.map((each) => statusJson(world, each)),
        providers: status.providers.map(({ session, remaining }) => ({
          issuer: session.issuer,
          untrusted_account:
            session.account === null ? null : foreignLine(session.account, 254, world.mask),
          expires_in_seconds: secondsLeft(remaining),
        })),
        not_understood: status.notUnderstood.map(({ id, of, resource, members }) => ({
          id,
          of,
          service: resource,
          untrusted_members: members.slice(0, 30).map((one) => foreignLine(one, 80, world.mask)),
        })),
        ...(next !== undefined && !world.readOnly && { next: nextJson(next) }),
      },
    };
  },
});

function statusJson(world: McpWorld, service: ServiceStatus): JsonMembers {
  return {
    ...serviceJson(world, service),
    registrations: service.registrations.map((each) => ({
      ...registrationJson(world, each.registration),
      state: each.state,
      in_use: each.current,
      scopes: scopesJson(world, each.scopes),
      token_expires_in_seconds: secondsLeft(each.tokenRemaining),
      claim_kind: each.registration.claim?.attempt?.kind ?? null,
      code_expires_in_seconds: secondsLeft(each.attemptRemaining),
      claimable_for_seconds: secondsLeft(each.claimWindowRemaining),
    })),
  };
}

function lineOf(world: McpWorld, { registration, state, current }: RegistrationStatus): string {
  const user = userText(world, registration.claim?.email ?? registration.email);
  const denied = registration.claim?.attempt?.ended === 'denied' ? ', denied by its user' : '';
  const id = foreignWord(registration.id, 100, world.mask);
  return `- ${id} at ${registration.resource}: ${registration.type}, ${state}${denied}${user === null ? '' : `, user ${user}`}${current ? ', in use there' : ''}`;
}

/** What the registration in use waits for. */
function goOn({ services, lastService }: Status): Next | undefined {
  const service = services.find(({ resource }) => resource === lastService);
  const current = service?.registrations.find((each) => each.current);
  if (service === undefined || current === undefined) return undefined;
  const at = { service: service.resource };
  const { state, registration } = current;
  const user = registration.claim?.email ?? registration.email ?? undefined;
  switch (state) {
    case 'pending':
      return registration.claim?.attempt?.kind === 'read_back'
        ? nextTool('complete_claim', at, ['code'])
        : nextTool('await_claim', at);
    case 'lapsed':
      return nextTool(
        'start_claim',
        { ...at, email: user },
        registration.claim?.attempt?.ended === 'denied' ? ['renew'] : [],
      );
    case 'expired':
      return nextTool('connect', { ...at, email: user });
    case 'revoked':
      return connectAnew(registration);
    default:
      return nextTool('call', at, ['target']);
  }
}
