import { roleOf } from './endpoints.ts';
import { type Weighed, weighFamilies } from './families.ts';
import type { Found } from './found.ts';
import type { IdentityTypes } from './identity-types.ts';
import type {
  Choice,
  DocumentName,
  Evidence,
  FamilyId,
  Hint,
  Offer,
  Role,
  Verdict,
} from './model.ts';
import { firstMember, memberOf, namesOf, shown, textAt } from './read.ts';
import { proseRefusal, type Refusal, refusals } from './refusals.ts';
import { placesOf, type RegisterMember } from './registers.ts';

/** What a verdict is reached from. */
export interface Question extends Found {
  readonly registers: readonly RegisterMember[];
  readonly types: IdentityTypes;
  /** All grants that the server lists. */
  readonly grants: readonly string[];
  /** The one by which a claim is collected. */
  readonly claimGrant: string | undefined;
  readonly offers: readonly Offer[];
  readonly hints: readonly Hint[];
  /** An answer to `choice`. */
  readonly family: FamilyId | undefined;
}

/** A verdict, and what led to it. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly families: readonly FamilyId[];
  readonly choices: readonly Choice[];
  readonly evidence: readonly Evidence[];
  /** The member that is believed; `undefined` where none can be. */
  readonly chosen: RegisterMember | undefined;
}

/** First whether there is a registration at all, then which; the order of the research's section 3. */
export function decide(question: Question): Decision {
  const { block, registers, grants, claimGrant } = question;
  if (block === undefined) return withoutBlock(question);
  const refused = refusals(question);
  const [refusal] = refused;
  if (registers.length === 0) {
    const why = refusal === undefined ? '' : `, and ${refusal.says}`;
    const reason = `It describes a registration of agents, but no URL to register at${why}.`;
    return undecided('published_only', reason, refused.map(evidenceOf));
  }
  const real = registers.filter(({ judgement }) => judgement.is === 'real');
  if (real.length === 0 || refusal !== undefined) return nothingThere(question, refused);
  const prose = proseRefusal(question);
  // Anything by which a registered agent would go on speaks louder.
  const goesOn = claimGrant !== undefined || grants.some((grant) => grant.includes('jwt-bearer'));
  if (prose !== undefined && !goesOn) {
    const reason = `Agents cannot register: ${prose.says}.`;
    return undecided('published_only', reason, [evidenceOf(prose)]);
  }
  return somethingThere(question, real);
}

/** What a verdict without families has. */
function undecided(verdict: Verdict, reason: string, evidence: readonly Evidence[] = []): Decision {
  return { verdict, reason, families: [], choices: [], evidence, chosen: undefined };
}

function evidenceOf({ document, member, value, says: shows }: Omit<Refusal, 'path'>): Evidence {
  return { document, member, value, shows, families: [] };
}

/** A registration is described, but no URL in it registers agents. */
function nothingThere({ document, registers }: Question, refused: readonly Refusal[]): Decision {
  const evidence = [
    ...registers.map(({ member, value, judgement: { why } }) =>
      evidenceOf({ document, member, value: shown(value), says: why }),
    ),
    ...refused.map(evidenceOf),
  ];
  const are = (what: RegisterMember['judgement']['is']) =>
    registers.find(({ judgement }) => judgement.is === what);
  const [client, nothing] = [are('client_registration'), are('nothing')];
  if (client !== undefined && nothing === undefined && refused.length === 0) {
    const reason = `${client.member} is OAuth client registration (RFC 7591), not a registration of agents: it ${client.judgement.why}.`;
    return undecided('client_registration', reason, evidence);
  }
  const about = nothing ?? registers[0];
  const isReal = about === undefined || about.judgement.is === 'real';
  const because = [refused[0]?.says, isReal ? [] : `${about.member} ${about.judgement.why}`];
  const reason = because.flatMap((clause) => clause ?? []).join(', and ');
  return undecided('published_only', `Nothing to register at: ${reason}.`, evidence);
}

/** Decides where at least one URL is real: which family, or which question decides. */
function somethingThere(question: Question, real: readonly RegisterMember[]): Decision {
  const { family } = question;
  const places = placesOf(real);
  const candidates = apart(
    places.map((register) => ({ register, weighed: weighFamilies({ ...question, register }) })),
  );
  const fitting =
    candidates.find((one) => one.family === family) ??
    candidates.find(({ weighed }) => family !== undefined && weighed.families.includes(family));
  const [first] = candidates;
  const { register: chosen, weighed } = (fitting ?? first) as Candidate;
  const families = [...new Set([...(family === undefined ? [] : [family]), ...weighed.families])];
  const choices =
    places.length > 1
      ? candidates.map((one) => choiceOf(one.register, one.family))
      : weighed.isEven
        ? families.filter((one) => one !== 'nested').map((one) => choiceOf(chosen, one))
        : [];
  const common = { evidence: weighed.evidence, chosen };
  if (family === undefined && choices.length > 1) {
    const what =
      places.length > 1
        ? `${choices.map(({ member }) => member).join(' and ')} name different URLs`
        : 'the documents speak as much for one family as for another';
    return {
      ...common,
      families: [...new Set([...families, ...choices.map((choice) => choice.family)])],
      choices,
      verdict: 'choice',
      reason: `Agents can register once you say which is meant: ${what}.`,
    };
  }
  const deciding = family === undefined ? weighed.deciding : undefined;
  const reason = reasonFor(families, deciding, question.types);
  return { ...common, families, choices: [], verdict: 'usable', reason };
}

interface Candidate {
  readonly register: RegisterMember;
  readonly weighed: Weighed;
}

/**
 * Candidates with a family each, by which they are told apart: what else the documents hold speaks for the URL
 * of the newer name, and a URL of the older name beside it is that of the first versions. One that is left
 * without a family of its own cannot be chosen.
 */
function apart(
  candidates: readonly Candidate[],
): readonly (Candidate & { readonly family: FamilyId })[] {
  const isMixed = candidates.some(({ register }) => register.age === 'new');
  const used = new Set<FamilyId>();
  return candidates.flatMap((candidate) => {
    const { register, weighed } = candidate;
    const isOlder = isMixed && register.age !== 'new';
    const likely: readonly FamilyId[] = isOlder ? ['first', ...weighed.families] : weighed.families;
    const family = likely.find((one) => !used.has(one));
    if (family === undefined) return [];
    used.add(family);
    return [{ ...candidate, family }];
  });
}

function choiceOf({ member, judgement }: RegisterMember, family: FamilyId): Choice {
  return { family, register: judgement.url ?? '', member };
}

function reasonFor(
  [likely = 'flat', ...others]: readonly FamilyId[],
  because: Evidence | undefined,
  types: IdentityTypes,
): string {
  const but =
    types.known.length === 0 && types.member !== undefined
      ? ', but by no identity type of this protocol'
      : '';
  const why = because === undefined ? '' : ` by ${because.member} (${because.shows})`;
  const rest =
    others.length === 0
      ? ''
      : `; it may as well be ${others.join(' or ')}, which is no mistake: the first answer shows it`;
  return `Agents can register${but}: it looks like ${likely}${why}${rest}.`;
}

const OAUTH = [
  'authorization_endpoint',
  'token_endpoint',
  'grant_types_supported',
  'response_types_supported',
  'jwks_uri',
  'registration_endpoint',
  'device_authorization_endpoint',
];

/** The documents describe no registration of agents: what they are instead. */
function withoutBlock(question: Question): Decision {
  const { client, instead, document, server, resource, unread, offers, hints } = question;
  const shows = (its: DocumentName, member: string, value: string, says: string) =>
    evidenceOf({ document: its, member, value, says });
  if (client !== undefined) return undecided('not_this_protocol', `${WHAT.client}.`);
  if (instead !== undefined) {
    const reason = 'agent_auth is not an object, so it says nowhere where agents register.';
    const evidence = [shows(document, 'agent_auth', shown(instead), 'no object')];
    return undecided('published_only', reason, evidence);
  }
  const known = OAUTH.filter((name) => memberOf(server, name) !== undefined);
  if (known.length > 0) {
    const what = offers.map((offer) => OFFERS[offer]).join(', ');
    const reason = `${WHAT[roleOf(question) ?? 'oauth']}; it offers ${what || 'nothing that an agent could use'}.`;
    const isOf = 'a member of OAuth (RFC 8414)';
    const evidence = known.map((name) =>
      shows('server', name, shown(memberOf(server, name)), isOf),
    );
    return undecided('plain_oauth', reason, evidence);
  }
  const servers = namesOf(memberOf(resource, 'authorization_servers'), 200);
  if (servers.length > 0 || textAt(resource, 'resource') !== undefined) {
    const at =
      servers.length === 0 ? '' : `; its authorization server is ${servers.slice(0, 3).join(', ')}`;
    const reason = `The resource metadata alone says nothing of a registration of agents${at}.`;
    const isOf = 'the server whose metadata decides';
    const evidence = servers.map((name) => shows('resource', 'authorization_servers', name, isOf));
    return undecided('plain_oauth', reason, evidence);
  }
  if (hints.length > 0) {
    const reason =
      'Only a skill file is published: its URLs are hints for a reader, and no metadata confirms them.';
    return undecided('published_only', reason);
  }
  const [, other] =
    OTHERS.find(([members]) => members.every((name) => firstMember(server, [name]))) ?? [];
  const reason =
    unread !== undefined
      ? `The document is ${unread} where a JSON object belongs, so it describes nothing.`
      : other === undefined
        ? 'Neither a registration of agents nor OAuth is described.'
        : `It is ${other}, which describes no registration of this protocol.`;
  return undecided('not_this_protocol', reason);
}

/** Documents that agents may meet at well-known places, each by members that it must have. */
const OTHERS: readonly (readonly [members: readonly string[], what: string])[] = [
  [['provider_name', 'modes'], 'the agent-configuration of the Agent Auth Protocol'],
  [['openapi'], 'an OpenAPI description'],
  [['swagger'], 'an OpenAPI description'],
  [['keys'], 'a key set'],
  [['name', 'skills', 'url'], 'an agent card of A2A'],
  [['mcpServers'], 'a configuration of MCP clients'],
];

const WHAT: Readonly<Record<Role | 'oauth', string>> = {
  oauth: 'It is OAuth without a registration of agents',
  provider: 'It is an agent provider, where users sign in, and no service that registers agents',
  cross_app:
    'It is for cross-app access alone: clients that are registered redeem ID-JAGs at it, and agents do not register',
  client: 'It is the metadata document of a client, which servers read, and no service',
};

const OFFERS: Readonly<Record<Offer, string>> = {
  authorization_code: 'the authorization code',
  device_code: 'the device code',
  client_registration: 'client registration (RFC 7591)',
  client_credentials: 'client credentials',
  token_exchange: 'token exchange',
  id_jag_profile: 'ID-JAGs at the token endpoint',
};
