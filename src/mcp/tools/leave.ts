import * as z from 'zod';
import type { ForgetOutcome } from '../../agent/index.ts';
import { isLive } from '../../agent/records/registration-state.ts';
import { describeLeft } from '../../protocol/index.ts';
import { type Answer, nextTool, ToolError } from '../answer/answer.ts';
import { idText, secondsLeft } from '../describe/registration.ts';
import { givenUrl, requireAllowedId, storedService } from '../service/choose-service.ts';
import { ACTS, defineTool } from '../tool.ts';
import { requireAllowed } from '../world/allowed.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { flag, output, service, word } from './schema.ts';

export const leave = defineTool({
  name: 'leave',
  title: 'Leave a service',
  description:
    'Revokes the access token at the service and removes the registration from this machine; it cannot be taken back. With keep_registration: revokes the token alone, and the next call gets another one. Only when the user asked for it.',
  input: {
    service,
    registration: word(
      500,
      'The registration_id as get_status shows it, or the beginning of it; or the id of a kept answer (kept_…). Left out: the registration in use.',
    ).optional(),
    keep_registration: flag(
      'true: revoke the access token alone and keep the registration. Default false.',
    ),
  },
  output: output(['left', 'revoked', 'no_token', 'removed'], [], {
    registration_id: z.string().nullable(),
    revocation: z.string(),
    in_use: z.string().nullable(),
  }),
  annotations: { ...ACTS, destructiveHint: true },
  run: async (world, input, call) => {
    const { signal } = call;
    const { registration: id } = input;
    if (id?.startsWith('kept_')) return removeKept(world, id);
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

async function revokeAlone(world: McpWorld, named: string, signal: AbortSignal): Promise<Answer> {
  const { status, registration } = await world.agent.revoke({ service: named, signal });
  return {
    status,
    lines: [
      status === 'revoked'
        ? 'The access token is revoked. The registration stays: the next call gets another token.'
        : 'There was no access token to revoke.',
    ],
    data: { registration_id: registration ? idText(world, registration) : null },
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
      registration_id: idText(world, registration),
      service: registration.resource,
      revocation,
      token_expires_in_seconds: secondsLeft(remaining),
      in_use: next === undefined ? null : idText(world, next),
    },
  };
}

/** An answer that was not understood: nothing is sent, and what the service created still exists there. */
async function removeKept(world: McpWorld, id: string): Promise<Answer> {
  const { notUnderstood = [] } = await world.store.read();
  for (const one of notUnderstood) if (one.id === id) requireAllowed(world, one.resource);
  const gone = await world.agent.forgetKept({ id });
  return {
    status: 'removed',
    lines: [
      'The kept answer is removed from this machine. What the service created still exists there.',
    ],
    data: { registration_id: null, removed: gone.map((one) => one.id) },
  };
}
