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

/** For people who did not mean to change it: how to go back. */
export function backText(
  context: Context,
  style: Style,
  previous: Registration | undefined,
): readonly string[] {
  if (previous === undefined) return [];
  return [`  Back: ${style.cyan(nextLine(context, 'use', previous.id).line)}`];
}

/** What may be done, for people: nobody said is not the same as nothing. */
export function scopesText(scopes: readonly string[] | null, none = 'nothing yet'): string {
  return scopes === null ? 'not said' : scopes.join(' ') || none;
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

/** What the service was asked about, and does not know. */
export function endedText({
  ended,
}: {
  readonly ended: readonly Registration[];
}): readonly string[] {
  return ended.map((each) => `  The service no longer knows ${each.id} (${kindOf(each)}).`);
}

/** Another registration is in use now than before: a person who did not mean that can go back. */
export function goBack(
  context: Context,
  style: Style,
  { previous }: { readonly previous?: Registration | undefined },
): readonly string[] {
  if (previous === undefined) return [];
  return [`  It is in use now${insteadOf(previous)}.`, ...backText(context, style, previous)];
}
