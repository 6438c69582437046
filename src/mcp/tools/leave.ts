import * as z from 'zod';
import type { ForgetOutcome } from '../../agent/index.ts';
import { isLive } from '../../agent/records/registration-state.ts';
import { describeLeft } from '../../protocol/index.ts';
import { idText, secondsLeft } from '../describe/registration.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextJson, nextText, nextTool } from '../next/next.ts';
import { givenUrl, requireAllowed, storedService } from '../service/choose-service.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { ACTS } from './annotations.ts';
import { service } from './inputs.ts';
import * as out from './outputs.ts';
import { requireAllowedId } from './switch-registration.ts';

export const leave = defineTool({
  name: 'leave',
  title: 'Leave a service',
  description:
    'Revokes the access token at the service and removes the registration from this machine; it cannot be taken back. With keep_registration: revokes the token alone, and the next call gets another one. Only when the user asked for it.',
  input: z.strictObject({
    service,
    registration: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'The registration_id as get_status shows it, or the beginning of it; or the id of a kept answer (kept_…). Left out: the registration in use.',
      )
      .optional(),
    keep_registration: z
      .boolean()
      .describe('true: revoke the access token alone and keep the registration. Default false.')
      .optional(),
  }),
  output: out.output(['left', 'revoked', 'no_token', 'removed'], {
    registration_id: z.string().nullable(),
    revocation: z.string(),
    in_use: z.string().nullable(),
  }),
  annotations: { ...ACTS, destructiveHint: true },
  isReading: false,
  run: async (world, input, call) => {
    const { signal } = call;
    const { registration: id, keep_registration: keeps = false } = input;
    if (id?.startsWith('kept_')) return removeKept(world, id);
    if (keeps) {
      if (id !== undefined) {
        throw new ToolError(
          'The arguments registration and keep_registration cannot be combined.',
          {
            code: 'wrong_arguments',
            hint: 'Only the token of the registration in use is revoked alone: take the other one into use first.',
            next: nextTool('switch_registration', { registration: id }),
          },
        );
      }
      const named = await storedService(world, call, input.service);
      const outcome = await world.agent.revoke({ service: named, signal });
      const next = nextTool('call', { service: named }, ['target']);
      return {
        lines: [
          outcome.status === 'revoked'
            ? 'The access token is revoked. The registration stays: the next call gets another token.'
            : 'There was no access token to revoke.',
          nextText(next),
        ],
        data: {
          status: outcome.status,
          registration_id:
            outcome.registration == null ? null : idText(world, outcome.registration),
          next: nextJson(next),
        },
      };
    }
    const named =
      id === undefined
        ? await storedService(world, call, input.service)
        : input.service && givenUrl(world, input.service, 'service');
    if (id !== undefined) await requireAllowedId(world, id);
    return left(
      world,
      await world.agent.forget({ service: named || undefined, registrationId: id, signal }),
    );
  },
});

const REVOCATION_TEXT: Readonly<Record<ForgetOutcome['revocation'], string>> = {
  revoked: 'Its access token is revoked.',
  no_token: 'It had no access token.',
  not_offered: 'The service offers no revocation, so its access token may still be valid.',
  refused: 'The server did not revoke its access token, which may still be valid.',
  unreachable: 'The server could not be reached, so its access token may still be valid.',
};

function left(
  world: McpWorld,
  { registration, next, revocation, tokenRemaining }: ForgetOutcome,
): ToolAnswer {
  const wasEnded = registration.ended === 'revoked';
  const isOpen = !wasEnded && revocation !== 'revoked' && revocation !== 'no_token';
  const ends =
    isOpen && tokenRemaining !== null && tokenRemaining > 0
      ? ` It expires in ${describeLeft(tokenRemaining)}.`
      : '';
  return {
    lines: [
      `The registration is removed from this machine. ${wasEnded ? 'Its access had been ended before.' : REVOCATION_TEXT[revocation]}${ends}`,
      ...(next === undefined
        ? []
        : [
            `Another registration is in use there now: in_use.${isLive(next, world.agent.now(next.issuer)) ? '' : ' It is over: register again.'}`,
          ]),
    ],
    data: {
      status: 'left',
      registration_id: idText(world, registration),
      service: registration.resource,
      revocation,
      token_expires_in_seconds: isOpen ? secondsLeft(tokenRemaining) : null,
      in_use: next === undefined ? null : idText(world, next),
    },
  };
}

/** An answer that was not understood: nothing is sent, and what the service created still exists there. */
async function removeKept(world: McpWorld, id: string): Promise<ToolAnswer> {
  const { notUnderstood = [] } = await world.store.read();
  for (const one of notUnderstood) if (one.id === id) requireAllowed(world, one.resource);
  const gone = await world.agent.forgetKept({ id });
  return {
    lines: [
      'The kept answer is removed from this machine. What the service created still exists there.',
    ],
    data: {
      status: 'removed',
      registration_id: null,
      removed: gone.map((one) => one.id),
    },
  };
}
