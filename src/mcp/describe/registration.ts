import type { Registration, Service, Warning } from '../../agent/index.ts';
import { registrationState, userOf } from '../../agent/records/registration-state.ts';
import { specificationState } from '../../protocol/index.ts';
import type { JsonMembers, JsonValue } from '../answer/answer.ts';
import { foreignLine, foreignToken, foreignWord } from '../answer/foreign-text.ts';
import type { McpWorld } from '../world/mcp-world.ts';

/** Words that a service makes up and that are named again later: ids, scopes, URLs. Characters. */
const WORD = 200;
const MOST_SCOPES = 60;

/** A registration without a secret. */
export function registrationJson(world: McpWorld, registration: Registration) {
  const state = registrationState(registration, world.agent.now(registration.issuer));
  return {
    registration_id: idText(world, registration),
    type: registration.type,
    state,
    specification_state: specificationState(state, registration.type),
    service: registration.resource,
    issuer: registration.issuer,
    user: userText(world, userOf(registration)),
    provider: registration.provider,
    claimed: registration.claimed,
    scopes_before_claim: scopesJson(world, registration.preClaimScopes),
    scopes_after_claim: scopesJson(world, registration.postClaimScopes),
  } satisfies JsonMembers;
}

/** Registrations that the service no longer had when it was asked, which a user may not know of. */
export function endedLine(
  { mask }: McpWorld,
  ...ended: readonly (Registration | undefined)[]
): string | undefined {
  const ids = ended.flatMap((one) => (one === undefined ? [] : [foreignWord(one.id, 100, mask)]));
  if (ids.length === 0) return undefined;
  return `The service no longer has the earlier registration ${ids.slice(0, 10).join(', ')}: the user or the service has ended it. Tell the user.`;
}

/** A service makes it up. */
export function idText({ mask }: Pick<McpWorld, 'mask'>, { id }: Pick<Registration, 'id'>): string {
  return foreignToken(id, WORD, mask);
}

/** An email address, which a service or a provider may have written. */
export function userText({ mask }: McpWorld, user: string | null): string | null {
  return user === null ? null : foreignWord(user, 254, mask);
}

/** `null`: the service did not say. */
export function scopesJson({ mask }: McpWorld, scopes: readonly string[] | null): JsonValue {
  if (scopes === null) return null;
  const shown = scopes.slice(0, MOST_SCOPES).map((scope) => foreignToken(scope, WORD, mask));
  const more = scopes.length - shown.length;
  return more > 0 ? [...shown, `… and ${more} more`] : shown;
}

export function serviceJson(
  { mask }: McpWorld,
  {
    issuer,
    resource,
    name,
  }: Pick<Service, 'issuer' | 'resource'> & { name?: string | null | undefined },
) {
  const untrusted_name = name == null ? null : foreignLine(name, 80, mask);
  return { issuer, resource, untrusted_name };
}

/** Sentences of ours that quote what a service published. */
export function warningsJson({ mask }: McpWorld, warnings: readonly Warning[]): JsonValue {
  return warnings
    .slice(0, 20)
    .map(({ code, message }) => ({ code, message: foreignLine(message, 300, mask) }));
}

/** Seconds that are left, rounded down; `null`: not known. */
export function secondsLeft(remaining: number | null | undefined): number | null {
  return remaining == null ? null : Math.floor(remaining / 1000);
}

/** The seconds until an instant on the clock of `issuer`. */
export function secondsUntil(
  { agent }: McpWorld,
  issuer: string,
  instant: number | null | undefined,
): number | null {
  return instant == null ? null : secondsLeft(instant - agent.now(issuer));
}
