import type {
  Ceremony,
  ConsentRequired,
  LoginRequired,
  Registration,
  SignInCeremony,
  UnansweredPolls,
} from '../../agent/index.ts';
import { unansweredText } from '../../agent/polling/poll-loop.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { describeLeft, displayUserCode } from '../../protocol/index.ts';
import {
  type Answer,
  type JsonMembers,
  type Lines,
  type Next,
  nextText,
  nextTool,
  ToolError,
} from '../answer/answer.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { secondsLeft } from '../answer/show.ts';
import type { McpWorld } from '../world/mcp-world.ts';

/** A link is shown whole or not at all. Characters. */
const LONGEST_LINK = 2048;

/** Characters of a code: the agent takes no longer one. */
const LONGEST_CODE = 40;

type AnyCeremony = Ceremony | SignInCeremony;

/** A claim is open: what the user has to do, and the tool that goes on from there. */
export function claimOpenAnswer(
  world: McpWorld,
  { registration, ceremony }: { readonly registration: Registration; readonly ceremony: Ceremony },
  { lines, data }: Pick<HandOver, 'lines' | 'data'>,
): Answer {
  const service = registration.resource;
  const user = world.show.user(userOf(registration));
  return handOver(world, {
    ...{ ceremony, lines },
    data: { ...data, registration: world.show.registration(registration) },
    next:
      ceremony.kind === 'type_there'
        ? nextTool('await_claim', { service })
        : nextTool('complete_claim', { service }, ['code']),
    member: 'claim',
    who: user === null ? 'the user' : `the user (${user})`,
    why: `to let this agent act for you at ${new URL(service).host}`,
  });
}

interface HandOver {
  readonly ceremony: AnyCeremony;
  /** What has happened so far, in our words. */
  readonly lines: Lines;
  /** Further members of the answer. */
  readonly data: JsonMembers;
  readonly next: Next;
  /** Where the ceremony stands in the data. */
  readonly member: 'claim' | 'sign_in';
  readonly who: string;
  /** Why the user has to act, as the end of a sentence. */
  readonly why: string;
}

/** Hands a ceremony to the user: by the host where it can show a page, else by the words of the model. */
export function handOver(world: McpWorld, over: HandOver): Answer {
  const { ceremony, lines, data, member } = over;
  const facts = ceremonyJson(world, ceremony);
  const { verification_uri: link, user_code: code } = facts;
  // Nothing goes on from a page that cannot be shown.
  const isStuck = ceremony.verificationUri !== null && link === null;
  const same = { status: 'pending', next: isStuck ? undefined : over.next };
  const answer: Answer = {
    ...same,
    lines: [...lines, ...whatToSay(world, over, facts)],
    data: { ...data, [member]: facts },
  };
  // Only a page on the origin of its service or provider may be offered (A-48).
  if (link === null || !ceremony.openable) return answer;
  const message = `Open ${new URL(link).host} ${over.why}. ${ON_PAGE[ceremony.kind]}${code ?? ''}`;
  const withCode = ceremony.kind === 'type_there' ? ', with the code to type' : '';
  const shown = {
    ...same,
    lines: [
      ...lines,
      `The host has shown the link and what to do there to the user${withCode}. Do not repeat it, and do not open the link yourself.`,
    ],
    data: { ...data, [member]: { ...facts, user_code: null, shown_by_host: true } },
  };
  return { ...answer, page: { url: link, message, shown } };
}

interface StillWaiting extends Pick<HandOver, 'ceremony' | 'next' | 'data' | 'member'> {
  readonly unanswered: UnansweredPolls | undefined;
  /** What the peer has not said yet, and what helps. */
  readonly otherwise: string;
}

/** A wait that is over before the user has acted: link and code were shown when it began. */
export function stillWaiting(world: McpWorld, waiting: StillWaiting): Answer {
  const { ceremony, next, data, member, unanswered, otherwise } = waiting;
  const [peer, what] = member === 'claim' ? ['service', 'claim'] : ['provider', 'sign-in'];
  const line =
    unanswered === undefined
      ? otherwise
      : `${unansweredText(`The ${peer}`, unanswered)} The ${what} stays open. Tell the user that the ${peer} does not answer, and wait again once it does.`;
  const facts = { ...ceremonyJson(world, ceremony), user_code: null };
  return {
    status: 'pending',
    lines: [line],
    data: { ...data, [member]: facts, unanswered_polls: unanswered?.polls },
    next,
  };
}

function ceremonyJson(world: McpWorld, ceremony: AnyCeremony) {
  const isTyped = ceremony.kind === 'type_there';
  return {
    kind: ceremony.kind,
    user_code: isTyped ? codeText(world, ceremony.userCode.reveal()) : null,
    verification_uri: linkOf(world, ceremony),
    mailed_to: ceremony.kind === 'read_back' ? world.show.user(ceremony.mailedTo) : null,
    page_is_of_service: ceremony.openable,
    expires_in_seconds: secondsLeft(ceremony.remaining),
    poll_interval_seconds: isTyped ? Math.ceil(ceremony.interval / 1000) : null,
    shown_by_host: false,
  };
}

/**
 * `null` where there is none, or none that can be shown: it holds a secret, has no end, or begins with a user name,
 * which is taken for its host.
 */
function linkOf({ mask }: McpWorld, { verificationUri }: AnyCeremony): string | null {
  if (verificationUri === null || verificationUri.length > LONGEST_LINK) return null;
  const { username, password } = new URL(verificationUri);
  if (username !== '' || password !== '') return null;
  return mask.hide(verificationUri) === verificationUri ? verificationUri : null;
}

/** Grouped; a code is a word of a stranger, too, and one word: spaces in it do not count (RFC 8628 §6.1). */
function codeText({ mask }: McpWorld, code: string): string {
  const shown = foreignLine(code, LONGEST_CODE, mask).replace(/[^\p{L}\p{N}-]/gu, '');
  return displayUserCode(shown);
}

/** What the model is told: what the user does on the page. */
const THERE = {
  type_there: 'They sign in on that page and type the code there.',
  page: 'They sign in on that page, in a browser on this machine: its answer comes back here.',
  read_back:
    'After signing in and confirming, that page shows a code. Ask the user for it, and hand it in.',
};

/** The same for the user; a code that is typed follows. */
const ON_PAGE = {
  type_there: 'Type this code there: ',
  page: 'Sign in there, in a browser on this machine.',
  read_back: 'After you have confirmed, the page shows a code. Tell it to your agent.',
};

function whatToSay(
  world: McpWorld,
  { ceremony, who }: HandOver,
  { verification_uri: link, user_code: code }: ReturnType<typeof ceremonyJson>,
): Lines {
  const span = `It is good for ${describeLeft(Math.max(0, ceremony.remaining))}.`;
  if (ceremony.kind === 'read_back' && ceremony.verificationUri === null) {
    const to = ceremony.mailedTo === null ? '' : ` to ${world.show.user(ceremony.mailedTo)}`;
    return [`A code was mailed${to}. Ask ${who} for it, and hand it in. ${span}`];
  }
  if (link === null) {
    return [
      'The link that came with it cannot be shown: it is too long, holds a secret, or begins with a user name. Tell the user, who cannot go on with it: this is a fault of the service.',
    ];
  }
  const keepOff =
    ceremony.kind === 'read_back'
      ? ''
      : ' Do not open the page yourself, and do not ask for a password.';
  return [
    `Show ${who} ${code === null ? 'this link now, as it is' : 'this link and this code now, as they are'}:`,
    `  Link: ${link}`,
    code === null ? undefined : `  Code: ${code}`,
    `${THERE[ceremony.kind]} ${span}${keepOff}`,
    ceremony.openable
      ? undefined
      : `Warning: that page is on ${new URL(link).host}, which is not the origin of the service or provider. Say so to the user, who decides whether to trust it.`,
  ];
}

/** The user has to act at the provider: sign in there, or agree to be identified. */
export function needsUser(
  { mask }: McpWorld,
  outcome: LoginRequired | ConsentRequired,
  again: Next,
): Answer {
  if (outcome.status === 'login_required') throw loginRequired(outcome, again);
  const { status, audience, consentUri: url, openable, provider } = outcome;
  if (!openable || mask.hide(url) !== url) {
    throw new ToolError(
      'The user has to agree at the provider first, on a page that cannot be shown.',
      {
        code: status,
        hint: `The page is not on the origin of ${provider}. Tell the user.`,
      },
    );
  }
  const same = {
    status,
    data: { provider, audience, consent_uri: url, page_is_of_provider: openable },
    next: again,
  };
  const then = 'Once the user says that they have agreed there, go on.';
  return {
    ...same,
    lines: [
      `The user has to agree that ${provider} identifies them to ${audience}. Show them this link now, as it is:`,
      `  Link: ${url}`,
      then,
    ],
    page: {
      url,
      message: `Open ${new URL(url).host} to agree that it tells ${new URL(audience).host} who you are.`,
      shown: {
        ...same,
        lines: ['The host has shown the page of the provider to the user.', then],
      },
    },
  };
}

function loginRequired(
  { provider, isOpen, maxAge, acrValues, askedBy, clientId }: LoginRequired,
  again: Next,
): ToolError {
  const isAgain = askedBy !== 'agent';
  const asked = {
    ...{ provider, client_id: clientId, fresh: isAgain || undefined },
    ...{ max_age_seconds: maxAge, acr_values: acrValues },
  };
  return new ToolError(
    `The user has to sign in${isAgain ? ' again' : ''} at ${provider ?? 'the provider'} first.`,
    {
      code: 'login_required',
      hint: `Then ${nextText(again).replace(/^Next: /, '')}`,
      next:
        isOpen && provider !== undefined
          ? nextTool('await_sign_in', { provider })
          : nextTool('sign_in', asked, ['provider']),
      details: { asked_by: askedBy, max_age_seconds: maxAge },
    },
  );
}
