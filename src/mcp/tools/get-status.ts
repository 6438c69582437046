import * as z from 'zod';
import type { Registration, RegistrationStatus, ServiceStatus, Status } from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { type JsonMembers, type Next, nextTool } from '../answer/answer.ts';
import { foreignLine, foreignWord } from '../answer/foreign-text.ts';
import {
  registrationJson,
  scopesJson,
  secondsLeft,
  serviceJson,
  userText,
} from '../describe/registration.ts';
import { connectAnew } from '../errors/access-ended.ts';
import { defineTool, READS } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import * as schema from './schema.ts';

export const getStatus = defineTool({
  name: 'get_status',
  title: 'Show the registrations of this agent',
  description:
    'Shows every registration on this machine: service, state, user, scopes, how long token and claim last, and sign-ins at providers. Reads the credential file alone, unless check is true. No secret is in it. Call it first when it is not clear what there is.',
  input: {
    check: schema.flag(
      'true: ask each service for its time first, so that what has expired is seen. Default false: no request.',
    ),
  },
  output: schema.output(['registered', 'empty'], [], {
    in_use: z.string().nullable().describe('The service that tools take when none is named.'),
    services: z.array(
      z.looseObject({ resource: z.string(), registrations: z.array(schema.registration) }),
    ),
    providers: z.array(z.looseObject({ issuer: z.string() })),
    read_only: z.boolean(),
  }),
  // With check, it asks the services.
  annotations: READS,
  run: async (world, { check = false }, call) => {
    const status = await world.agent.status({ checkClocks: check, signal: call.signal });
    const all = status.services.flatMap(({ registrations }) => registrations);
    const isEmpty = all.length === 0;
    const inUse = world.service ?? status.lastService;
    return {
      status: isEmpty ? 'empty' : 'registered',
      lines: [
        isEmpty ? 'No registration is stored on this machine.' : undefined,
        status.environmentToken
          ? 'AGENT_AUTH_TOKEN is set: calls use that token, whatever is stored.'
          : undefined,
        ...all.map((one) => lineOf(world, one)),
        inUse === null ? undefined : `In use where no service is named: ${inUse}.`,
        status.notUnderstood.length > 0
          ? 'Answers that were not understood are kept: not_understood.'
          : undefined,
      ],
      data: {
        in_use: inUse,
        environment_token: status.environmentToken,
        only: world.only ?? null,
        read_only: world.readOnly,
        services: status.services.map((each) => statusJson(world, each)),
        providers: status.providers.map(({ session: { issuer, account }, remaining }) => ({
          issuer,
          untrusted_account: account === null ? null : foreignLine(account, 254, world.mask),
          expires_in_seconds: secondsLeft(remaining),
        })),
        not_understood: status.notUnderstood.map(({ id, of, resource, members }) => ({
          ...{ id, of, service: resource },
          untrusted_members: members.slice(0, 30).map((one) => foreignLine(one, 80, world.mask)),
        })),
      },
      next: world.readOnly ? undefined : goOn(status),
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
  const user = userText(world, userOf(registration));
  const id = foreignWord(registration.id, 100, world.mask);
  const facts = [
    registration.type,
    state,
    ...(isDenied(registration) ? ['denied by its user'] : []),
    ...(user === null ? [] : [`user ${user}`]),
    ...(current ? ['in use there'] : []),
  ];
  return `- ${id} at ${registration.resource}: ${facts.join(', ')}`;
}

function isDenied({ claim }: Registration): boolean {
  return claim?.attempt?.ended === 'denied';
}

/** What the registration in use waits for. */
function goOn({ services, lastService }: Status): Next | undefined {
  if (!services.some(({ registrations }) => registrations.length > 0)) {
    return nextTool('connect', {}, ['service']);
  }
  const inUse = services.find(({ resource }) => resource === lastService);
  const current = inUse?.registrations.find((each) => each.current);
  if (current === undefined) return undefined;
  const { state, registration } = current;
  const at = { service: registration.resource };
  const user = { ...at, email: userOf(registration) };
  switch (state) {
    case 'pending':
      return registration.claim?.attempt?.kind === 'read_back'
        ? nextTool('complete_claim', at, ['code'])
        : nextTool('await_claim', at);
    case 'lapsed':
      return nextTool('start_claim', user, isDenied(registration) ? ['renew'] : []);
    case 'expired':
      return nextTool('connect', user);
    case 'revoked':
      return connectAnew(registration);
    default:
      return nextTool('call', at, ['target']);
  }
}
