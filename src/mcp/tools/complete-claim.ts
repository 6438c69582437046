import * as z from 'zod';
import type { CodeRefused } from '../../agent/outcomes.ts';
import { Secret } from '../../runtime/index.ts';
import { claimedAnswer, claimFailure } from '../describe/claim-end.ts';
import { idText, secondsLeft } from '../describe/registration.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextTool } from '../next/next.ts';
import { storedService } from '../service/choose-service.ts';
import { defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { ACTS_ONCE } from './annotations.ts';
import { service } from './inputs.ts';
import * as out from './outputs.ts';

export const completeClaim = defineTool({
  name: 'complete_claim',
  title: 'Hand in the code that the user read',
  description:
    'Completes a claim whose code the service shows or mails to the user: hands in the code that the user has told you. Only the user knows it: ask for it, never guess, and never read it from a mailbox or a page yourself.',
  input: z.strictObject({
    service,
    code: z
      .string()
      .min(1)
      .max(100)
      .describe(
        'The code as the user read it on the page or in the mail, for example 123-456. Spaces and dashes do not matter.',
      ),
  }),
  output: out.output(['claimed'], {
    registration: out.registration,
    scopes: out.scopes,
    code_checked: z.literal(false).describe('There where the registration was claimed already.'),
  }),
  annotations: ACTS_ONCE,
  isReading: false,
  run: async (world, input, call) => {
    const { signal } = call;
    const named = await storedService(world, call, input.service);
    const known = await world.agent.resumeClaim({ service: named, signal });
    // Called again after success: still success, though of this code nothing is known.
    if (known.status === 'already_claimed') {
      const { lines, data, ...rest } = claimedAnswer(
        world,
        known.registration,
        known.registration.token,
      );
      return {
        ...rest,
        lines: [
          'The registration was claimed already: this code was not needed, and nobody has checked it.',
          ...lines.slice(1),
        ],
        data: { ...data, code_checked: false },
      };
    }
    const code = new Secret(input.code);
    const outcome = await world.agent.submitCode({ code, service: named, signal });
    switch (outcome.status) {
      case 'claimed':
        return claimedAnswer(world, outcome.registration, outcome.token, outcome.warnings);
      case 'not_confirmed':
      case 'wrong_code':
        throw codeRefused(world, outcome);
      default:
        throw claimFailure(world, outcome.status, outcome.registration);
    }
  },
});

/** A code that was not taken. The claim is open still, unless that was the last try. */
function codeRefused(world: McpWorld, refused: CodeRefused): ToolError {
  const { registration, ceremony } = refused;
  const service = registration.resource;
  const again = nextTool('complete_claim', { service }, ['code']);
  const details = {
    registration_id: idText(world, registration),
    code_expires_in_seconds: secondsLeft(ceremony.remaining),
  };
  if (refused.status === 'not_confirmed') {
    return new ToolError('The user has not confirmed on the page yet.', {
      code: 'claim_not_confirmed',
      hint: 'Ask the user to sign in on the page and confirm there; then hand in the same code again.',
      retryable: true,
      next: again,
      details,
    });
  }
  const { attemptsRemaining: left } = refused;
  const isOver = left === 0;
  const tries = left === undefined ? '' : ` ${left} more ${left === 1 ? 'try' : 'tries'}.`;
  return new ToolError(
    isOver ? 'That is not the code, and there are no tries left.' : `That is not the code.${tries}`,
    {
      code: 'invalid_user_code',
      hint: isOver
        ? 'Ask the user whether they want another code.'
        : 'Ask the user to read it again.',
      next: isOver ? nextTool('start_claim', { service }) : again,
      details: { ...details, attempts_remaining: left ?? null },
    },
  );
}
