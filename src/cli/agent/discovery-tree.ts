import type { Hop, Service, Warning } from '../../agent/model.ts';
import type { Offer, Role, Verdict } from '../../discovery/model.ts';
import type { Recognition } from '../../discovery/recognition.ts';
import { otherWarnings } from '../shell/recognition-json.ts';
import type { Style } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** What there is to show of a discovery, whether or not it found a service. */
export interface Shown {
  readonly title: string;
  readonly hops: readonly Hop[];
  readonly recognition: Recognition | undefined;
  readonly service?: Service;
  readonly warnings?: readonly Warning[];
  /** The line to type next. */
  readonly next?: string | undefined;
}

/** A discovery as a tree that is read at a glance: what was asked, what it is, what it offers, what is wrong. */
export function discoveryTree(style: Style, shown: Shown): string {
  const { recognition, service, title } = shown;
  const branches = [
    hopBranch(style, shown.hops),
    recognition && dialectBranch(style, recognition),
    service ? offerBranch(style, service, recognition) : recognition && oauthBranch(recognition),
    recognition && hintBranch(style, recognition),
    recognition && heldBranch(style, recognition),
    defectBranch(style, shown),
    shown.next === undefined ? undefined : { text: `Next: ${style.cyan(shown.next)}` },
  ];
  const isMissed = recognition?.verdict === 'usable' && service === undefined;
  const isForeign = service?.identityTypes.length === 0;
  const found = isMissed
    ? 'describes a registration of agents'
    : isForeign
      ? 'registers agents, by no type that this agent knows'
      : titleOf(recognition);
  return tree({
    text: [style.bold(title), found].filter((part) => part !== undefined).join(': '),
    below: branches.filter((branch) => branch !== undefined),
  });
}

/** What follows the name of the service. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  usable: 'agents can register',
  choice: 'agents can register once one question is answered',
  published_only: 'published only, nothing to register at',
  client_registration: 'registers OAuth clients, not agents',
  plain_oauth: 'plain OAuth, no registration of agents',
  not_this_protocol: 'not this protocol',
};

/** The same, where no agents register. */
const ROLES: Readonly<Record<Role, string>> = {
  provider: 'an agent provider, no service',
  cross_app: 'cross-app access alone, no registration of agents',
  client: 'the metadata document of a client, no service',
};

function titleOf(recognition: Recognition | undefined): string | undefined {
  if (recognition?.role !== undefined) return ROLES[recognition.role];
  return recognition && VERDICTS[recognition.verdict];
}

function hopBranch(style: Style, hops: readonly Hop[]): Branch | undefined {
  if (hops.length === 0) return undefined;
  return { text: 'asked', below: linesOf(describeHops(style, hops)) };
}

export function describeHops(style: Style, hops: readonly Hop[]): string {
  return table(
    hops.map(({ method = 'GET', url, status, learnt }) => [
      status === null ? style.red('---') : style.cyan(String(status)),
      `${method} ${url}`,
      style.dim(learnt),
    ]),
  );
}

function dialectBranch(style: Style, recognition: Recognition): Branch {
  const { families, evidence, reason, choices } = recognition;
  const [likely, ...others] = families;
  const told = evidence.map(({ member, value, shows, families: speaksFor }) => [
    member,
    style.dim(value),
    speaksFor.length === 0 ? shows : `${shows} (${speaksFor.join(', ')})`,
  ]);
  const below = told.length === 0 ? [] : linesOf(table(told));
  if (likely === undefined) return { text: reason, below };
  if (choices.length > 0) {
    const either = choices.map(({ family, register, member }) => [
      style.bold(`--dialect ${family}`),
      register,
      style.dim(member),
    ]);
    return { text: reason, below: [...linesOf(table(either)), ...below] };
  }
  const rest =
    others.length === 0 ? '' : `, else ${others.join(' or ')}: the first answer shows it`;
  return { text: `speaks ${style.bold(likely)}${rest}`, below };
}

function offerBranch(style: Style, service: Service, recognition: Recognition | undefined): Branch {
  const rows: readonly (readonly [name: string, value: string | undefined])[] = [
    ['issuer', service.issuer],
    ['resource', service.resource],
    ['registration', service.identityTypes.join(', ') || 'no type that this agent supports'],
    ['scopes', service.scopes.join(' ') || 'not stated'],
    ['credentials', recognition?.credentialTypes.join(', ') || undefined],
    ['sent in', service.credentialHeader],
    [
      'wants',
      recognition?.wantedMembers.map((name) => `--member ${name}=…`).join(' ') || undefined,
    ],
    ['identity', service.identityEndpoint],
    ['claim', service.claimEndpoint],
    ['token', service.tokenEndpoint],
    ['revocation', service.revocationEndpoint],
    ['events', service.eventsEndpoint],
    ['claim grant', service.claimGrantType],
    ['skill', service.skill],
  ];
  const given = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [[style.dim(name), value]],
  );
  return { text: 'offers', below: linesOf(table(given)) };
}

const OFFERS: Readonly<Record<Offer, string>> = {
  authorization_code: 'authorization code, for users with a browser',
  device_code: 'device code, for users with another device',
  client_registration: 'dynamic client registration (RFC 7591)',
  client_credentials: 'client credentials, for a client that is registered',
  token_exchange: 'token exchange (RFC 8693)',
  id_jag_profile: 'ID-JAGs at the token endpoint, for a client that is registered',
};

function oauthBranch({ offers }: Recognition): Branch | undefined {
  if (offers.length === 0) return undefined;
  return {
    text: 'offers, by OAuth alone',
    below: offers.map((offer) => ({ text: OFFERS[offer] })),
  };
}

function hintBranch(style: Style, { hints }: Recognition): Branch | undefined {
  if (hints.length === 0) return undefined;
  const rows = hints.slice(0, 8).map(({ kind, url }) => [style.dim(kind), url]);
  return {
    text: 'mentioned in the skill file: hints to check, never used',
    below: linesOf(table(rows)),
  };
}

function heldBranch({ green }: Style, { held }: Recognition): Branch | undefined {
  if (held.length === 0) return undefined;
  return { text: 'holds', below: held.map((text) => ({ text: `${green('✓')} ${text}` })) };
}

function defectBranch(
  style: Style,
  { recognition, service, warnings = [] }: Shown,
): Branch | undefined {
  const isUsable = recognition?.verdict === 'usable';
  // Why nothing can be registered stands above.
  const listed = (recognition?.defects ?? []).filter(
    ({ rule }) => isUsable || rule !== 'register-url-unusable',
  );
  const defects = listed.map(({ severity, member, message }) => ({
    text: `${severity === 'error' ? style.red('✗') : style.yellow('!')} ${member}: ${message}`,
  }));
  const others = otherWarnings(recognition, warnings).map(({ message }) => ({
    text: `${style.yellow('!')} ${message}`,
  }));
  const below = [...defects, ...others];
  if (below.length > 0) return { text: 'found wrong', below };
  // What kept the agent from a service is told below.
  return service && { text: `${style.green('✓')} No problems found.` };
}

function linesOf(text: string): readonly Branch[] {
  return text.split('\n').map((line) => ({ text: line }));
}

/** A line with branches below it. */
interface Branch {
  readonly text: string;
  readonly below?: readonly Branch[];
}

/** A tree as lines: `├─`, `└─` and `│` in front of each but the first. */
function tree({ text, below = [] }: Branch): string {
  return [
    text,
    ...below.flatMap((branch, index) => under(branch, index === below.length - 1)),
  ].join('\n');
}

function under(branch: Branch, isLast: boolean): readonly string[] {
  const [first = '', ...rest] = tree(branch).split('\n');
  return [
    `${isLast ? '└─' : '├─'} ${first}`,
    ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`),
  ];
}
