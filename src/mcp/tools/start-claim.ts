import * as z from 'zod';
import type { ResumeClaimOutcome, StartClaimOutcome } from '../../agent/index.ts';
import { claimOpenAnswer } from '../describe/ceremony.ts';
import { claimedAnswer, claimFailure } from '../describe/claim-end.ts';
import { registrationJson, warningsJson } from '../describe/registration.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextTool } from '../next/next.ts';
import { givenUrl, storedService } from '../service/choose-service.ts';
import { defineTool } from '../tool.ts';
import { ACTS } from './annotations.ts';
import { email, provider, service } from './inputs.ts';
import * as out from './outputs.ts';

export const startClaim = defineTool({
  name: 'start_claim',
  title: 'Let a user claim the registration',
  description:
    'Opens a claim of the registration in use, or resumes the open one, and returns at once with a link, and a code where there is one, for the user. Show both to the user, then call await_claim (the user types the code on the page), or complete_claim (the user reads a code to you): the answer says which.',
  input: z.strictObject({
    service,
    email,
    provider: provider
      .describe(
        'In place of email: the URL of a provider where the user is signed in; the claim may need no code then.',
      )
      .optional(),
    renew: z
      .boolean()
      .describe(
        'true: a new code, even if one is open or the user denied the last one. Only when the user asked for it.',
      )
      .optional(),
  }),
  output: out.output(['pending', 'claimed'], {
    registration: out.registration,
    claim: out.claim,
    resumed: z.boolean(),
    untrusted_warnings: out.warnings,
    scopes: out.scopes,
  }),
  annotations: ACTS,
  isReading: false,
  run: async (world, input, call) => {
    const { signal } = call;
    const named = await storedService(world, call, input.service);
    const known = await world.agent.resumeClaim({ service: named, email: input.email, signal });
    if (known.status === 'already_claimed') {
      return claimedAnswer(world, known.registration, known.registration.token);
    }
    const user = known.registration.claim?.email ?? known.registration.email;
    if (
      !call.isReturn &&
      input.email === undefined &&
      input.provider === undefined &&
      user === null
    ) {
      throw new ToolError('It is not known which user is to claim the registration.', {
        code: 'answer_missing',
        hint: 'Ask the user for their email address.',
        next: nextTool('start_claim', { service: named, renew: input.renew }, ['email']),
      });
    }
    const started: StartClaimOutcome | ResumeClaimOutcome = call.isReturn
      ? known
      : await world.agent.startClaim({
          service: named,
          email: input.email,
          provider: input.provider && givenUrl(world, input.provider, 'provider'),
          renew: input.renew,
          signal,
        });
    const { registration } = started;
    switch (started.status) {
      case 'open':
        return claimOpenAnswer(world, {
          lines: [
            started.resumed && !call.isReturn
              ? 'A claim is open already; it goes on.'
              : 'A claim is open.',
          ],
          data: {
            registration: registrationJson(world, registration),
            resumed: started.resumed,
            untrusted_warnings: warningsJson(world, started.warnings),
          },
          ...{ registration, ceremony: started.ceremony },
        });
      case 'claimed':
        return claimedAnswer(world, registration, started.token, started.warnings);
      case 'not_started':
        throw new ToolError('No claim is open.', {
          code: 'no_claim_open',
          next: nextTool('start_claim', { service: named }),
        });
      default:
        throw claimFailure(world, started.status, registration);
    }
  },
});
