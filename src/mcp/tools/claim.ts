import type { CodeRefused } from '../../agent/outcomes.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { Secret } from '../../runtime/index.ts';
import { nextTool, ToolError } from '../answer/answer.ts';
import { secondsLeft } from '../answer/show.ts';
import { stillWaiting } from '../describe/ceremony.ts';
import { claimAnswer } from '../describe/claim.ts';
import { askUser, givenUrl, storedService } from '../service/choose-service.ts';
import { ACTS, ACTS_ONCE, defineTool } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { waitFor } from '../world/waits.ts';
import { email, flag, provider, service, timeout_seconds, word } from './schema.ts';

export const startClaim = defineTool({
  name: 'start_claim',
  title: 'Let a user claim the registration',
  description:
    'Opens a claim of the registration in use, or resumes the open one, and returns at once with a link, and a code where there is one, for the user. Show both to the user, then call await_claim (the user types the code on the page), or complete_claim (the user reads a code to you): the answer says which.',
  input: {
    service,
    email,
    provider: provider
      .describe(
        'In place of email: the URL of a provider where the user is signed in; the claim may need no code then.',
      )
      .optional(),
    renew: flag(
      'true: a new code, even if one is open or the user denied the last one. Only when the user asked for it.',
    ),
  },
  annotations: ACTS,
  run: async (world, input, call) => {
    const { signal } = call;
    const named = await storedService(world, call, input.service);
    const known = await world.agent.resumeClaim({ service: named, email: input.email, signal });
    if (known.status === 'already_claimed') return claimAnswer(world, known, []);
    if (!input.email && !input.provider && userOf(known.registration) === null) {
      throw askUser(call, { service: named, renew: input.renew }, 'email');
    }
    const started = await world.agent.startClaim({
      service: named,
      email: input.email,
      provider: input.provider && givenUrl(world, input.provider, 'provider'),
      renew: input.renew,
      signal,
    });
    const isOld = started.status === 'open' && started.resumed;
    return claimAnswer(world, started, [
      isOld ? 'A claim is open already; it goes on.' : 'A claim is open.',
    ]);
  },
});

export const awaitClaim = defineTool({
  name: 'await_claim',
  title: 'Wait until the user has claimed the registration',
  description:
    'Waits until the user has typed the code on the page, or until the time is over; call it after link and code have been shown to the user. It reports progress, may be cancelled, and may be called again: the claim goes on in any case. It opens no claim.',
  input: { service, timeout_seconds },
  annotations: ACTS_ONCE,
  run: async (world, input, call) => {
    const { signal } = call;
    const named = await storedService(world, call, input.service);
    const known = await world.agent.resumeClaim({ service: named, signal });
    const { registration } = known;
    const at = { service: registration.resource };
    if (known.status === 'already_claimed' || known.status === 'not_started') {
      return claimAnswer(world, known, []);
    }
    // Nothing polls for a code that is read back: it is handed in.
    if (known.status === 'open' && known.ceremony.kind === 'read_back') {
      throw new ToolError('This claim is not waited for: the user reads a code to you.', {
        code: 'code_needed',
        hint: 'Ask the user for the code that the page or the mail shows.',
        next: nextTool('complete_claim', at, ['code']),
      });
    }
    const wait = { key: `claim ${at.service} ${registration.id}`, seconds: input.timeout_seconds };
    const polled = await waitFor(world, call, wait, (polling) =>
      world.agent.waitForClaim({ service: named, ...polling }),
    );
    const ended = polled ?? (await world.agent.resumeClaim({ service: named, signal }));
    if (ended.status !== 'open' && ended.status !== 'pending') return claimAnswer(world, ended, []);
    return stillWaiting(world, {
      ceremony: ended.ceremony,
      member: 'claim',
      unanswered: ended.status === 'pending' ? ended.unanswered : undefined,
      otherwise:
        'The service has not said yet that the user has acted; the claim stays open. Where they no longer have link and code, start_claim shows them again.',
      data: { registration: world.show.registration(ended.registration) },
      next: nextTool('await_claim', at),
    });
  },
});

export const completeClaim = defineTool({
  name: 'complete_claim',
  title: 'Hand in the code that the user read',
  description:
    'Completes a claim whose code the service shows or mails to the user: hands in the code that the user has told you. Only the user knows it: ask for it, never guess, and never read it from a mailbox or a page yourself.',
  input: {
    service,
    code: word(
      100,
      'The code as the user read it on the page or in the mail, for example 123-456. Spaces and dashes do not matter.',
    ),
  },
  annotations: ACTS_ONCE,
  run: async (world, input, call) => {
    const { signal } = call;
    const named = await storedService(world, call, input.service);
    const known = await world.agent.resumeClaim({ service: named, signal });
    // Called again after success: still success, though of this code nothing is known.
    if (known.status === 'already_claimed') {
      const answer = claimAnswer(world, known, []);
      return {
        ...answer,
        lines: [
          'The registration was claimed already: this code was not needed, and nobody has checked it.',
        ],
        data: { ...answer.data, code_checked: false },
      };
    }
    const code = new Secret(input.code);
    const outcome = await world.agent.submitCode({ code, service: named, signal });
    if (outcome.status === 'not_confirmed' || outcome.status === 'wrong_code') {
      throw codeRefused(world, outcome);
    }
    return claimAnswer(world, outcome, []);
  },
});

/** A code that was not taken. The claim is open still, unless that was the last try. */
function codeRefused(world: McpWorld, refused: CodeRefused): ToolError {
  const { registration, ceremony } = refused;
  const at = { service: registration.resource };
  const again = nextTool('complete_claim', at, ['code']);
  const details = {
    registration_id: world.show.id(registration),
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
  const tries = left === undefined ? '' : ` ${left} more ${left === 1 ? 'try' : 'tries'}.`;
  return new ToolError(`That is not the code.${tries}`, {
    code: 'invalid_user_code',
    ...(left === 0
      ? { hint: 'Ask the user whether they want another code.', next: nextTool('start_claim', at) }
      : { hint: 'Ask the user to read it again.', next: again }),
    details: { ...details, attempts_remaining: left ?? null },
  });
}
