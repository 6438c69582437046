import type { KeptAnswer, RegistrationState } from '../../agent/model.ts';
import type { RegistrationStatus, ServiceStatus, Status } from '../../agent/outcomes.ts';
import { userOf, wasDenied } from '../../agent/records/registration-state.ts';
import { status as storedStatus } from '../../agent/records/status.ts';
import { printableUrl } from '../../protocol/mask-tokens.ts';
import { specificationState } from '../../protocol/states.ts';
import { displayText } from '../../protocol/text.ts';
import { absoluteFromTyped } from '../../protocol/typed-url.ts';
import { isSameOrigin } from '../../protocol/urls.ts';
import { stateText } from '../prompts/known-registrations.ts';
import { openTools } from '../prompts/open-tools.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Next } from '../shell/next.ts';
import { nextLine } from '../shell/next-line.ts';
import type { JsonData, Rendering } from '../shell/output.ts';
import type { Style } from '../terminal/style.ts';
import { facts } from '../terminal/table.ts';
import { endJson, endText, isoTime, localTime } from '../terminal/time.ts';
import {
  directText,
  goOnLine,
  membersText,
  refreshText,
  registrationJson,
  scopesText,
  waitsFor,
} from './registration-lines.ts';
import { tokenMembers } from './token-json.ts';

interface StatusOptions {
  readonly check?: true;
}

/** What is registered on this machine, by the file alone unless `check` asks the services. Exit 4 when nothing is. */
export async function status(context: Context, { check }: StatusOptions): Promise<Outcome> {
  const checked = check === true;
  const found = await storedStatus(await openTools(context), { checkClocks: checked });
  context.output.result(presentStatus(context, found, checked));
  const registered = found.services.some(({ registrations }) => registrations.length > 0);
  const kept = found.notUnderstood.some(({ of }) => of === 'registration');
  return registered || kept || found.environmentToken ? 'done' : 'unregistered';
}

const STATE_COLOR: Readonly<Record<RegistrationState, 'green' | 'yellow' | 'red'>> = {
  unclaimed: 'yellow',
  pending: 'yellow',
  lapsed: 'yellow',
  claimed: 'green',
  expired: 'red',
  revoked: 'red',
};

function presentStatus(context: Context, status: Status, checked: boolean): Rendering {
  const { notUnderstood } = status;
  const empty =
    status.services.every(({ registrations }) => registrations.length === 0) &&
    notUnderstood.every(({ of }) => of !== 'registration');
  const next = empty ? nextLine(context, 'connect', 'URL') : claimStep(context, status);
  const ofService = ({ issuer, resource }: ServiceStatus) =>
    notUnderstood.filter((kept) => kept.issuer === issuer && kept.resource === resource);
  const shown = status.services
    .filter(({ registrations }) => registrations.length > 0)
    .flatMap(ofService);
  const elsewhere = notUnderstood.filter((kept) => !shown.includes(kept));
  const { clocks } = context;
  return {
    schema: 'status',
    wraps: true,
    json: () => ({
      location: status.location,
      credential_source: status.environmentToken ? 'environment' : 'file',
      last_service: status.lastService,
      checked,
      services: status.services.map((service) => serviceJson(context, service)),
      providers: status.providers.map(({ session }) => ({
        issuer: session.issuer,
        account: session.account,
        ...endJson('expires_at', session.expiresAt, clocks.now(session.issuer)),
      })),
      not_understood: notUnderstood.map((kept) => keptJson(context, kept)),
      next: next ?? null,
    }),
    human: (style) => {
      const keptTexts = (all: readonly KeptAnswer[]) =>
        all.map((kept) => keptText(context, style, kept));
      return [
        ...(status.environmentToken
          ? [`${style.yellow('!')} AGENT_AUTH_TOKEN is set and takes precedence over the file.`, '']
          : []),
        ...(empty && next
          ? ['No registration is stored on this machine.', `Next: ${style.cyan(next.line)}`]
          : []),
        ...status.services
          .filter(({ registrations }) => registrations.length > 0)
          .map((service) =>
            [
              serviceText(style, service, clocks.now(service.issuer)),
              ...keptTexts(ofService(service)),
              '',
            ].join('\n'),
          ),
        ...elsewhere.map((kept) =>
          [keptHeading(style, kept), keptText(context, style, kept), ''].join('\n'),
        ),
        ...status.providers.map(
          ({ session, remaining }) =>
            `Signed in at ${style.bold(session.issuer)}${session.account === null ? '' : ` as ${session.account}`}${remaining === null ? '' : `, until ${endText(clocks.now(session.issuer), remaining)}`}\n`,
        ),
        ...(empty ? [] : [style.dim(legend(context)), ...whereTo(context, style, status)]),
        ...clockTexts(context, style, status, checked),
        ...(empty || next === undefined ? [] : [`Next: ${style.cyan(next.line)}`]),
        style.dim(`Credential file: ${status.location}`),
      ].join('\n');
    },
  };
}

/** What a claim that was begun waits for; of the service used last, else of the only one there is. */
function claimStep(context: Context, { services, lastService }: Status): Next | undefined {
  const service =
    services.find(({ resource }) => resource === lastService) ??
    (services.length === 1 ? services[0] : undefined);
  const current = service?.registrations.find((each) => each.current);
  const kind = current?.registration.claim?.attempt?.kind;
  if (current?.state === 'pending' && kind !== undefined) return goOnLine(context, { kind });
  // A user who said no is asked again on their own word alone.
  if (current?.state !== 'lapsed' || wasDenied(current.registration)) return undefined;
  return nextLine(context, 'claim', '--renew');
}

const REVOKED = { token: null, assertion: null, refresh: null } as const;

function serviceJson(context: Context, service: ServiceStatus): JsonData {
  const now = context.clocks.now(service.issuer);
  return {
    issuer: service.issuer,
    resource: service.resource,
    name: service.name,
    clock_offset_ms: service.clockOffset,
    clock_seen: service.clockSeen,
    registrations: service.registrations.map((each) => {
      // A revocation ends everything at once, whatever is stored of it.
      const isRevoked = each.state === 'revoked';
      const { token, assertion, refresh = null } = isRevoked ? REVOKED : each.registration;
      return {
        ...registrationJson(context, { ...each.registration, assertion, refresh }),
        state: each.state,
        specification_state: specificationState(each.state, each.registration.type),
        current: each.current,
        scopes: each.scopes,
        ...endJson('token_expires', token?.expiresAt, now),
        client_id: each.registration.crossApp?.clientId ?? null,
        ...tokenMembers(token),
        claim_kind: each.registration.claim?.attempt?.kind ?? null,
        ...endJson('attempt_expires', each.registration.claim?.attempt?.expiresAt, now),
      };
    }),
  };
}

function legend(context: Context): string {
  return `● in use at its service · ○ not in use: ${nextLine(context, 'use', 'REGISTRATION').line}`;
}

/** The one of several services that a command without --service goes to. */
function whereTo(
  { world }: Context,
  style: Style,
  { services, lastService, environmentToken }: Status,
): readonly string[] {
  const registered = services.filter(({ registrations }) => registrations.length > 0);
  if (registered.length < 2 || environmentToken) return [];
  const { service: variable } = world.environment;
  const begin = 'Calls without --service go to';
  if (variable !== undefined) {
    return [
      `${begin}: ${displayText(printableUrl(absoluteFromTyped(variable)), 200)} (AGENT_AUTH_SERVICE)`,
    ];
  }
  return lastService === null
    ? [style.yellow('Calls need --service: none of these services was used last.')]
    : [`${begin}: ${style.bold(lastService)} (used last)`];
}

/** Whose clock the times above go by: nobody takes them for what a server says now. */
function clockTexts(
  context: Context,
  style: Style,
  { services, providers }: Status,
  checked: boolean,
): readonly string[] {
  const shown = services.filter(({ registrations }) => registrations.length > 0);
  if (!checked) {
    if (shown.length === 0 && providers.length === 0) return [];
    const { line } = nextLine(context, 'status', '--check');
    return [
      style.dim(`No server was asked: times go by its clock as it was seen last (${line} asks).`),
    ];
  }
  return shown
    .filter(({ clockSeen }) => !clockSeen)
    .map(
      ({ issuer }) =>
        `${style.yellow('!')} ${issuer} did not tell its time: times go by its clock as it was seen last.`,
    );
}

function serviceText(style: Style, service: ServiceStatus, now: number): string {
  const { issuer, name, resource } = service;
  const elsewhere = isSameOrigin(issuer, resource) ? '' : `, by ${issuer}`;
  const heading = `${style.bold(name ?? resource)}  ${style.dim(resource + elsewhere)}`;
  const list = service.registrations.map((each) => registrationText(style, each, now));
  return [heading, ...list].join('\n');
}

function registrationText(style: Style, status: RegistrationStatus, now: number): string {
  const { registration, state, scopes } = status;
  const paint = style[STATE_COLOR[state]];
  const end = (remaining: number | null) =>
    remaining === null ? undefined : endText(now, remaining);
  const waiting = state === 'unclaimed' || state === 'pending' || state === 'lapsed';
  const isOver = state === 'revoked' || state === 'expired';
  const nothing = isOver ? 'nothing any more' : 'nothing yet';
  const { crossApp, provider } = registration;
  // A client has registered nothing: neither a type nor a dialect is its own.
  const what =
    crossApp === undefined
      ? `${registration.type}  ${paint(stateText(state, registration))}`
      : `client ${displayText(crossApp.clientId, 100)}, by ${provider}`;
  return [
    `  ${status.current ? paint('●') : paint('○')} ${registration.id}  ${what}`,
    facts(style, [
      ['  state', crossApp ? undefined : specifiedText(state, registration.type)],
      ['  user', userOf(registration) ?? undefined],
      ['  scopes', scopesText(scopes, nothing)],
      ['  dialect', crossApp ? undefined : registration.dialect],
      ['  members', membersText(registration)],
      ['  calls with', isOver ? undefined : directText(registration)],
      ['  token until', end(status.tokenRemaining)],
      ['  login page', isOver ? undefined : registration.token?.loginUrl],
      ['  assertion until', end(status.assertionRemaining)],
      ['  refresh until', isOver ? undefined : refreshText(status, now)],
      ['  waits for', state === 'pending' ? waitsFor(registration) : undefined],
      ['  code until', state === 'pending' ? end(status.attemptRemaining) : undefined],
      ['  claimable until', waiting ? end(status.claimWindowRemaining) : undefined],
    ]),
  ].join('\n');
}

/** Our name and the specification's, where that is another one. */
function specifiedText(state: RegistrationState, type: string): string | undefined {
  const specified = specificationState(state, type);
  const isOther = specified !== null && specified !== state;
  return isOther ? `${state} (specification: ${specified})` : undefined;
}

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
function keptJson(context: Context, kept: KeptAnswer): JsonData {
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
function keptText(context: Context, style: Style, kept: KeptAnswer): string {
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

function keptHeading(style: Style, { issuer, resource, name }: KeptAnswer): string {
  const elsewhere = isSameOrigin(issuer, resource) ? '' : `, by ${issuer}`;
  return `${style.bold(displayText(name ?? resource, 100))}  ${style.dim(resource + elsewhere)}`;
}
