import type { KeptAnswer } from '../../agent/model.ts';
import { displayText } from '../../protocol/text.ts';
import { isSameOrigin } from '../../protocol/urls.ts';
import type { Context } from '../shell/context.ts';
import { nextLine } from '../shell/next-line.ts';
import type { JsonData } from '../shell/output.ts';
import { facts } from '../terminal/facts.ts';
import type { Style } from '../terminal/style.ts';
import { isoTime, localTime } from '../terminal/time.ts';

const MEANING: Readonly<Record<KeptAnswer['of'], string>> = {
  registration: 'registered; the answer was not understood: do not register again',
  claim: 'a claim was opened; the answer was not understood',
  claimed: 'claimed; the answer was not understood',
  token: 'the answer with its token was not understood',
  refresh: 'refreshed; the answer was not understood',
  sign_in: 'signed in; the answer was not understood',
};

/** An answer that is no JSON object may not have come from the service. */
const MAY_MEAN: Readonly<Record<KeptAnswer['of'], string>> = {
  registration: 'may be registered; the answer was not understood: do not register again',
  claim: 'a claim may be open; the answer was not understood',
  claimed: 'may be claimed; the answer was not understood',
  token: 'the answer may hold a token; it was not understood',
  refresh: 'may be refreshed; the answer was not understood',
  sign_in: 'may be signed in; the answer was not understood',
};

function meaningOf({ of, members }: KeptAnswer): string {
  return members.length === 0 ? MAY_MEAN[of] : MEANING[of];
}

/** What is kept, for programs: where, for what, and its members; never its body. */
export function keptJson(context: Context, kept: KeptAnswer): JsonData {
  return {
    id: kept.id,
    issuer: kept.issuer,
    resource: kept.resource,
    name: kept.name,
    of: kept.of,
    meaning: meaningOf(kept),
    register_again: kept.of !== 'registration',
    registration_type: kept.type,
    registration_id: kept.registrationId,
    email: kept.email,
    members: kept.members,
    status: kept.status,
    truncated: kept.truncated,
    kept_at: isoTime(kept.keptAt),
    next: nextLine(context, 'forget', kept.id),
  };
}

/** Under the heading of its service, or under its own. */
export function keptText(context: Context, style: Style, kept: KeptAnswer): string {
  return [
    `  ${style.red('?')} ${kept.id}  ${style.yellow(meaningOf(kept))}`,
    facts(style, [
      ['  registration', kept.registrationId ?? undefined],
      ['  type', kept.type ?? undefined],
      ['  user', kept.email ?? undefined],
      ['  it sent', kept.members.join(', ') || 'nothing that could be read'],
      ['  kept', localTime(kept.keptAt)],
      ['  remove with', nextLine(context, 'forget', kept.id).line],
    ]),
  ].join('\n');
}

export function keptHeading(style: Style, { issuer, resource, name }: KeptAnswer): string {
  const elsewhere = isSameOrigin(issuer, resource) ? '' : `, by ${issuer}`;
  return `${style.bold(displayText(name ?? resource, 100))}  ${style.dim(resource + elsewhere)}`;
}
