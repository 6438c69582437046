import type { Registration } from '../../agent/model.ts';
import { kindOf } from '../choose/known-registrations.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { JsonData } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';

/** The registration that was in use before, and the way back to it, for programs. */
export function previousJson(
  context: Context,
  previous: Registration | undefined,
): JsonData | null {
  return previous === undefined
    ? null
    : { registration_id: previous.id, next: nextLine(context, 'use', previous.id) };
}

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
