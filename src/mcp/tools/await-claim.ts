import * as z from 'zod';
import type { ClaimOutcome } from '../../agent/index.ts';
import { unansweredText } from '../../agent/polling/poll-loop.ts';
import { stillWaiting } from '../describe/ceremony.ts';
import { claimedAnswer, claimFailure } from '../describe/claim-end.ts';
import { registrationJson } from '../describe/registration.ts';
import { ToolError } from '../errors/tool-error.ts';
import { nextTool } from '../next/next.ts';
import { storedService } from '../service/choose-service.ts';
import { defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import type { ToolCall } from '../world/tool-call.ts';
import { ACTS_ONCE } from './annotations.ts';
import { milliseconds, service, timeout } from './inputs.ts';
import * as out from './outputs.ts';
import { Patience } from './patience.ts';

export const awaitClaim = defineTool({
  name: 'await_claim',
  title: 'Wait until the user has claimed the registration',
  description:
    'Waits until the user has typed the code on the page, or until the time is over; call it after link and code have been shown to the user. It reports progress, may be cancelled, and may be called again: the claim goes on in any case. It opens no claim.',
  input: z.strictObject({ service, timeout_seconds: timeout }),
  output: out.output(['claimed', 'pending'], {
    registration: out.registration,
    claim: out.claim,
    scopes: out.scopes,
    unanswered_polls: out.unansweredPolls,
  }),
  annotations: ACTS_ONCE,
  isReading: false,
  run: async (world, input, call) => {
    const named = await storedService(world, call, input.service);
    const patience = new Patience(world, call, milliseconds(input.timeout_seconds));
    for (;;) {
      const known = await world.agent.resumeClaim({ service: named, signal: call.signal });
      const { registration } = known;
      if (known.status === 'already_claimed') {
        return claimedAnswer(world, registration, registration.token);
      }
      if (known.status === 'not_started') {
        throw new ToolError('No claim was opened for this registration.', {
          code: 'no_claim_open',
          next: nextTool(
            'start_claim',
            { service: registration.resource },
            registration.email === null ? ['email'] : [],
          ),
        });
      }
      // Nothing polls for a code that is read back: it is handed in.
      if (known.status === 'open' && known.ceremony.kind === 'read_back') {
        throw new ToolError('This claim is not waited for: the user reads a code to you.', {
          code: 'code_needed',
          hint: 'Ask the user for the code that the page or the mail shows.',
          next: nextTool('complete_claim', { service: registration.resource }, ['code']),
        });
      }
      const ended = await world.waits.run(
        `claim ${registration.resource} ${registration.id}`,
        patience.listener,
        (onEvent) =>
          world.agent.waitForClaim({
            service: named,
            timeout: patience.left(),
            signal: patience.signal,
            onEvent: patience.watch(onEvent),
          }),
        patience,
      );
      if (ended !== undefined) return endAnswer(world, ended);
      if (call.signal.aborted) throw claimFailure(world, 'aborted', registration);
      // Another call polled for the same claim: what it came to is stored.
      if (patience.left() === 0) return stillOpen(world, call, named);
    }
  },
});

function endAnswer(world: McpWorld, ended: ClaimOutcome) {
  const { registration } = ended;
  if (ended.status === 'claimed') {
    return claimedAnswer(world, registration, ended.token, ended.warnings);
  }
  if (ended.status !== 'pending') throw claimFailure(world, ended.status, registration);
  const { unanswered } = ended;
  return stillWaiting(world, 'claim', {
    ceremony: ended.ceremony,
    lines: [
      unanswered === undefined
        ? 'The service has not said yet that the user has acted; the claim stays open. Where they no longer have link and code, start_claim shows them again.'
        : `${unansweredText('The service', unanswered)} The claim stays open. Tell the user that the service does not answer, and wait again once it does.`,
    ],
    data: {
      registration: registrationJson(world, registration),
      ...(unanswered !== undefined && { unanswered_polls: unanswered.polls }),
    },
    next: nextTool('await_claim', { service: registration.resource }),
  });
}

async function stillOpen(world: McpWorld, { signal }: ToolCall, service: string) {
  const known = await world.agent.resumeClaim({ service, signal });
  const { registration } = known;
  if (known.status === 'already_claimed')
    return claimedAnswer(world, registration, registration.token);
  if (known.status === 'open') return endAnswer(world, { ...known, status: 'pending' });
  throw claimFailure(
    world,
    known.status === 'not_started' ? 'revoked' : known.status,
    registration,
  );
}
