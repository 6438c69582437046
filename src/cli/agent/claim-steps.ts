import type { Ceremony } from '../../agent/model.ts';
import type { Context } from '../shell/context.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';

/** The line that hands in a code; only a user knows which. */
export function codeLine(context: Context): Next {
  return nextLine(context, 'claim', '--code', 'CODE');
}

/** The line that goes on with an open claim, by which way its code goes. */
export function goOnLine(context: Context, { kind }: Pick<Ceremony, 'kind'>): Next {
  return kind === 'read_back' ? codeLine(context) : nextLine(context, 'claim', 'wait');
}
