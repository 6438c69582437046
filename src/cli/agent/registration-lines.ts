import type { Registration } from '../../agent/model.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { kindOf } from '../choose/known-registrations.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { Style } from '../terminal/style.ts';

/** Instead of which one another is in use now; empty where nothing changed. */
export function insteadOf(previous: Registration | undefined): string {
  return previous === undefined ? '' : ` instead of ${previous.id} (${kindOf(previous)})`;
}

/** How to go back to the one that was in use. */
export function backText(
  context: Context,
  style: Style,
  previous: Registration | undefined,
): readonly string[] {
  if (previous === undefined) return [];
  return [`  Back: ${style.cyan(nextLine(context, 'use', previous.id).line)}`];
}

/** The scopes as text: not stated by the service is not the same as none. */
export function scopesText(scopes: readonly string[] | null, none = 'nothing yet'): string {
  return scopes === null ? 'not stated' : scopes.join(' ') || none;
}

/** `anonymously`, `for alice@example.com`. */
export function describeType({ registration }: { readonly registration: Registration }): string {
  const user = userOf(registration);
  switch (registration.type) {
    case 'anonymous':
      return registration.claimed ? `claimed by ${user ?? 'its user'}` : 'anonymously';
    case 'service_auth':
      return `for ${user ?? 'its user'}`;
    case 'identity_assertion':
      return `for ${user ?? 'a user'}, identified by ${registration.provider ?? 'the provider'}`;
  }
}

/** The registrations that the service no longer knows. */
export function endedText({
  ended,
}: {
  readonly ended: readonly Registration[];
}): readonly string[] {
  return ended.map((each) => `  The service no longer knows ${each.id} (${kindOf(each)}).`);
}

/** Another registration is in use than before, with the command that goes back. */
export function goBack(
  context: Context,
  style: Style,
  { previous }: { readonly previous?: Registration | undefined },
): readonly string[] {
  if (previous === undefined) return [];
  return [`  It is in use now${insteadOf(previous)}.`, ...backText(context, style, previous)];
}
