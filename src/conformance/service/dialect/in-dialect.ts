import { type FamilyId, recognise, recogniseAnswer } from '../../../discovery/index.ts';
import type { CheckResult, ScenarioResult } from '../../engine/model.ts';
import { leftOut, type Scenario } from '../../engine/scenario.ts';
import type { Answer } from '../../http/answer.ts';
import { NoAnswer } from '../../http/no-answer.ts';
import type { ServiceFacts } from '../service-facts.ts';
import type { ServiceWorld } from '../service-world.ts';
import { ReadBack } from './read-back.ts';
import { READ_BACK_SCENARIOS } from './read-back-scenarios.ts';
import { SPELLINGS } from './spelling.ts';

/** The family of the protocol that a service speaks, and what shows it. */
export interface FoundDialect {
  readonly family: FamilyId;
  /** What shows it, in a few words. */
  readonly shownBy: string;
  /** Where agents register, whatever the member is called. */
  readonly registerUrl: string | undefined;
  /** Where they start claims, likewise. */
  readonly claimUrl: string | undefined;
  /** The family that its documents fit better, where nothing may be registered that would show it. */
  readonly perhaps?: FamilyId;
}

/** Posts a registration to a URL. */
type Register = (url: string, body: Readonly<Record<string, string>>) => Promise<Answer>;

interface Asking {
  readonly register: Register;
  /** Nothing may be created: the documents alone are asked. */
  readonly safe: boolean;
  /** The user of a registration by email, where the service has no other. */
  readonly email: string;
}

/**
 * Which family a service speaks: by its documents, and where these fit two, by its answer to a registration.
 * What shows no other family is judged as the specification's own, `flat`.
 */
export async function findDialect(
  { metadata, resourceMetadata, identityTypes }: ServiceFacts,
  { register, safe, email }: Asking,
): Promise<FoundDialect> {
  const { families, endpoints, evidence } = recognise({
    server: metadata,
    resource: resourceMetadata,
  });
  const [likely = 'flat'] = families;
  const { register: registerUrl, claim: claimUrl } = endpoints;
  const shown = evidence.find((one) => one.families.includes(likely));
  const shownBy = shown === undefined ? 'its metadata' : `${shown.member}: ${shown.shows}`;
  if (likely === 'first') return { family: likely, shownBy, registerUrl, claimUrl };
  const flat: FoundDialect = { family: 'flat', shownBy, registerUrl, claimUrl };
  if (likely === 'flat' || registerUrl === undefined) return flat;
  if (safe) return { ...flat, perhaps: likely };
  const body = identityTypes.includes('anonymous')
    ? { type: 'anonymous' }
    : { type: 'service_auth', login_hint: email };
  const answer = await register(registerUrl, body).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
  const [family] = answer === undefined ? [] : recogniseAnswer(answer.json, answer.status).families;
  if (family === undefined || family === 'flat') return flat;
  return { family, shownBy: 'its answer to a registration', registerUrl, claimUrl };
}

/** Scenarios of discovery and transport, and of what ends the service: they ask for the same in every family. */
const IN_EVERY_DIALECT: ReadonlySet<string> = new Set([
  'challenge',
  'resource-metadata',
  'server-metadata',
  'service-keys',
  'skill-file',
  'hostile-headers',
  'methods',
  'cors',
  'smuggling',
  'trickle',
  'header-injection',
  'stays-up',
]);

/** Their checks that ask for what the `flat` family alone publishes. */
const OF_FLAT: ReadonlySet<string> = new Set([
  'server-metadata.bearer-grant',
  'server-metadata.claim-grant',
  'server-metadata.token-endpoint',
  'server-metadata.revocation-endpoint',
  'server-metadata.public-clients',
]);

/** Why a check is left out. */
function reasonFor({ family, shownBy }: FoundDialect): string {
  return `The service speaks ${family} (${shownBy}); in that dialect its claims, discovery and transport alone are judged.`;
}

/** The scenarios as far as they apply to what the service speaks: all of them to `flat`. */
export function scenariosIn(
  found: FoundDialect,
  scenarios: readonly Scenario<ServiceWorld>[],
): readonly Scenario<ServiceWorld>[] {
  const { family } = found;
  if (family === 'flat') return scenarios;
  return scenarios.map((scenario) => {
    if (IN_EVERY_DIALECT.has(scenario.id)) return scenario;
    const own = READ_BACK_SCENARIOS[scenario.id];
    if (own === undefined) return leftOut(scenario, reasonFor(found));
    const others = Object.keys(scenario.checks).filter((name) => !(name in own.checks));
    return {
      ...scenario,
      checks: { ...scenario.checks, ...own.checks },
      run: async (judge, world) => {
        judge.skip(others, reasonFor(found));
        await own.run(judge, new ReadBack(world, SPELLINGS[family], found));
      },
    };
  });
}

/** A result without the checks that do not apply to what the service speaks, or may speak. */
export function resultIn(found: FoundDialect, result: ScenarioResult): ScenarioResult {
  const { family, perhaps } = found;
  if (family !== 'flat') return without(result, OF_FLAT, { reason: reasonFor(found) });
  if (perhaps === undefined) return result;
  const reason = `Its documents fit ${perhaps}, which has no claim grant, as well as flat; only a registration shows which, and --safe sends none.`;
  return without(result, CLAIM_GRANT, { reason, deselected: true });
}

/** What tells `flat` from `nested` in the documents, and is missing where they leave that open. */
const CLAIM_GRANT: ReadonlySet<string> = new Set(['server-metadata.claim-grant']);

function without(
  result: ScenarioResult,
  ids: ReadonlySet<string>,
  why: Pick<CheckResult, 'reason' | 'deselected'>,
): ScenarioResult {
  const checks = result.checks.map(
    (check): CheckResult =>
      ids.has(check.id)
        ? { ...check, status: 'skip', findings: [], moreFindings: 0, ...why }
        : check,
  );
  return { ...result, checks };
}
