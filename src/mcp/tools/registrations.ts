import type {
  ForgetOutcome,
  RegistrationStatus,
  ServiceStatus,
  Status,
} from '../../agent/index.ts';
import { isLive, userOf, wasDenied } from '../../agent/records/registration-state.ts';
import { describeLeft } from '../../protocol/index.ts';
import { type Answer, type JsonMembers, type Next, nextTool, ToolError } from '../answer/answer.ts';
import { foreignLine, foreignWord } from '../answer/foreign-text.ts';
import { secondsLeft } from '../answer/show.ts';
import { connectAnew } from '../errors/access-ended.ts';
import { givenUrl, requireAllowedId, storedService } from '../service/choose-service.ts';
import { ACTS, ACTS_ONCE, defineTool, READS } from '../tool.ts';
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
      next: goOn(status),
    };
  },
});

function statusJson(world: McpWorld, service: ServiceStatus): JsonMembers {
  return {
    ...world.show.service(service),
    registrations: service.registrations.map((each) => ({
      ...world.show.registration(each.registration),
      state: each.state,
      in_use: each.current,
      scopes: world.show.scopes(each.scopes),
      token_expires_in_seconds: secondsLeft(each.tokenRemaining),
      claim_kind: each.registration.claim?.attempt?.kind ?? null,
      code_expires_in_seconds: secondsLeft(each.attemptRemaining),
      claimable_for_seconds: secondsLeft(each.claimWindowRemaining),
    })),
  };
}

function lineOf(world: McpWorld, { registration, state, current }: RegistrationStatus): string {
  const user = world.show.user(userOf(registration));
  const id = foreignWord(registration.id, 100, world.mask);
  const facts = [
    registration.type,
    state,
    ...(wasDenied(registration) ? ['denied by its user'] : []),
    ...(user === null ? [] : [`user ${user}`]),
    ...(current ? ['in use there'] : []),
  ];
  return `- ${id} at ${registration.resource}: ${facts.join(', ')}`;
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
      return nextTool('start_claim', user, wasDenied(registration) ? ['renew'] : []);
    case 'expired':
      return nextTool('connect', user);
    case 'revoked':
      return connectAnew(registration);
    default:
      return nextTool('call', at, ['target']);
  }
}

export const switchRegistration = defineTool({
  name: 'switch_registration',
  title: 'Use another registration',
  description:
    'Takes another stored registration into use, for example of another user or another service: later calls without a service use it. get_status lists what there is. Nothing is sent.',
  input: {
    registration: schema.word(
      500,
      'The registration_id as get_status shows it, or the beginning of it.',
    ),
    service: schema.service.describe('Only among the registrations of this service: its URL.'),
  },
  annotations: { ...ACTS_ONCE, openWorldHint: false },
  run: async (world, input, call) => {
    const named = input.service ? givenUrl(world, input.service, 'service') : undefined;
    call.about.service = named;
    await requireAllowedId(world, input.registration);
    const used = await world.agent.use({ registrationId: input.registration, service: named });
    const { registration, previous } = used;
    const at = { service: registration.resource };
    const isUsable = registration.assertion !== null || registration.token !== null;
    return {
      status: 'in_use',
      lines: ['That registration is in use now.'],
      data: {
        service: world.show.service({ ...used.service, resource: registration.resource }),
        registration: world.show.registration(registration),
        previous_registration_id: world.show.id(previous),
      },
      next: isUsable ? nextTool('call', at, ['target']) : nextTool('start_claim', at),
    };
  },
});

export const leave = defineTool({
  name: 'leave',
  title: 'Leave a service',
  description:
    'Revokes the access token at the service and removes the registration from this machine; it cannot be taken back. With keep_registration: revokes the token alone, and the next call gets another one. Only when the user asked for it.',
  input: {
    service: schema.service,
    registration: schema
      .word(
        500,
        'The registration_id as get_status shows it, or the beginning of it. Left out: the registration in use.',
      )
      .optional(),
    keep_registration: schema.flag(
      'true: revoke the access token alone and keep the registration. Default false.',
    ),
  },
  annotations: { ...ACTS, destructiveHint: true },
  run: async (world, input, call) => {
    const { signal } = call;
    const { registration: id } = input;
    if (id === undefined) {
      const named = await storedService(world, call, input.service);
      return input.keep_registration
        ? revokeAlone(world, named, signal)
        : left(world, await world.agent.forget({ service: named, signal }));
    }
    if (input.keep_registration) {
      throw new ToolError('The arguments registration and keep_registration cannot be combined.', {
        code: 'wrong_arguments',
        hint: 'Only the token of the registration in use is revoked alone: take the other one into use first.',
        next: nextTool('switch_registration', { registration: id }),
      });
    }
    const named = input.service ? givenUrl(world, input.service, 'service') : undefined;
    await requireAllowedId(world, id);
    return left(world, await world.agent.forget({ service: named, registrationId: id, signal }));
  },
});

async function revokeAlone(
  world: McpWorld,
  named: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { status, registration } = await world.agent.revoke({ service: named, signal });
  return {
    status,
    lines: [
      status === 'revoked'
        ? 'The access token is revoked. The registration stays: the next call gets another token.'
        : 'There was no access token to revoke.',
    ],
    data: { registration_id: world.show.id(registration) },
    next: nextTool('call', { service: named }, ['target']),
  };
}

const REVOCATION_TEXT: Readonly<Record<ForgetOutcome['revocation'], string>> = {
  revoked: 'Its access token is revoked.',
  no_token: 'It had no access token.',
  not_offered: 'The service offers no revocation, so its access token may still be valid.',
  refused: 'The server did not revoke its access token, which may still be valid.',
  unreachable: 'The server could not be reached, so its access token may still be valid.',
};

function left(world: McpWorld, outcome: ForgetOutcome): Answer {
  const { registration, next, revocation } = outcome;
  const wasEnded = registration.ended === 'revoked';
  const isOpen = !wasEnded && revocation !== 'revoked' && revocation !== 'no_token';
  const remaining = isOpen ? outcome.tokenRemaining : null;
  const what = wasEnded ? 'Its access had been ended before.' : REVOCATION_TEXT[revocation];
  const ends =
    remaining !== null && remaining > 0 ? ` It expires in ${describeLeft(remaining)}.` : '';
  const isOver = next !== undefined && !isLive(next, world.agent.now(next.issuer));
  return {
    status: 'left',
    lines: [
      `The registration is removed from this machine. ${what}${ends}`,
      next &&
        `Another registration is in use there now: in_use.${isOver ? ' It is over: register again.' : ''}`,
    ],
    data: {
      registration_id: world.show.id(registration),
      service: registration.resource,
      revocation,
      token_expires_in_seconds: secondsLeft(remaining),
      in_use: world.show.id(next),
    },
  };
}
