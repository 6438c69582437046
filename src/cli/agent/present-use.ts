import type { UseOutcome } from '../../agent/outcomes.ts';
import { kindOf } from '../choose/known-registrations.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Rendering } from '../shell/output.ts';
import { backText, insteadOf, previousJson } from './present-previous.ts';
import { registrationJson } from './present-registration.ts';

/** Another registration is in use now. */
export function presentInUse(context: Context, outcome: UseOutcome): Rendering {
  const { service, registration, previous } = outcome;
  const next =
    registration.assertion === null
      ? nextLine(context, 'claim')
      : nextLine(context, 'call', '/PATH');
  return {
    schema: 'use',
    json: () => ({
      status: 'in_use',
      service,
      registration: registrationJson(context, registration),
      previous: previousJson(context, previous),
      next,
    }),
    human: (style) =>
      [
        `${style.green('✓')} ${registration.id} (${kindOf(registration)}) is in use now at ${style.bold(service.name ?? service.issuer)}${insteadOf(previous)}.`,
        ...backText(context, style, previous),
        `  Next: ${style.cyan(next.line)}`,
      ].join('\n'),
  };
}
