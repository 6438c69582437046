import type { Ceremony, Registration, SignInCeremony } from '../../agent/index.ts';
import { userOf } from '../../agent/records/registration-state.ts';
import { describeLeft, displayUserCode } from '../../protocol/index.ts';
import type { JsonMembers } from '../answer/answer.ts';
import { foreignLine } from '../answer/foreign-text.ts';
import { type Next, nextJson, nextText, nextTool } from '../next/next.ts';
import type { PageOffer, ToolAnswer } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { secondsLeft, userText } from './registration.ts';

/** A link is shown whole or not at all. Characters. */
const LONGEST_LINK = 2048;

/** Characters of a code: the agent takes no longer one. */
const LONGEST_CODE = 40;

interface Waiting {
  /** What has happened so far, in our words. */
  readonly lines: readonly string[];
  /** The members of the answer beside `status`, `claim` and `next`. */
  readonly data: JsonMembers;
  readonly registration: Registration;
  readonly ceremony: Ceremony;
}

/** A claim is open: what the user has to do, and the tool that goes on from there. */
export function claimOpenAnswer(world: McpWorld, waiting: Waiting): ToolAnswer {
  const { ceremony, registration } = waiting;
  const service = registration.resource;
  const next =
    ceremony.kind === 'type_there'
      ? nextTool('await_claim', { service })
      : nextTool('complete_claim', { service }, ['code']);
  const who = userText(world, userOf(registration));
  return handOver(world, {
    ceremony,
    next,
    lines: waiting.lines,
    data: waiting.data,
    member: 'claim',
    who: who === null ? 'the user' : `the user (${who})`,
    why: `to let this agent act for you at ${new URL(service).host}`,
  });
}

interface HandOver {
  readonly ceremony: Ceremony | SignInCeremony;
  readonly next: Next;
  readonly lines: readonly string[];
  readonly data: JsonMembers;
  /** Where the ceremony stands in the data. */
  readonly member: 'claim' | 'sign_in';
  readonly who: string;
  /** For the user, as the end of a sentence. */
  readonly why: string;
}

/** Hands a ceremony to the user: by the host where it can show a page, else by the words of the model. */
export function handOver(world: McpWorld, over: HandOver): ToolAnswer {
  const { ceremony, next, lines, data, member } = over;
  const facts = ceremonyJson(world, ceremony);
  // Nothing goes on from a page that cannot be shown.
  const isStuck = ceremony.verificationUri !== null && linkOf(world, ceremony) === null;
  const whole = {
    status: 'pending',
    ...data,
    [member]: facts,
    ...(!isStuck && { next: nextJson(next) }),
  };
  const shown = { ...whole, [member]: { ...facts, user_code: null, shown_by_host: true } };
  return {
    lines: [...lines, ...whatToSay(world, over), ...(isStuck ? [] : [nextText(next)])],
    data: whole,
    page: pageOf(world, over, {
      lines: [
        ...lines,
        `The host has shown the link and what to do there to the user${ceremony.kind === 'type_there' ? ', with the code to type' : ''}. Do not repeat it, and do not open the link yourself.`,
        nextText(next),
      ],
      data: shown,
    }),
  };
}

/** A wait that is over before the user has acted: link and code were shown when it began. */
export function stillWaiting(
  world: McpWorld,
  member: HandOver['member'],
  { ceremony, next, lines, data }: Pick<HandOver, 'ceremony' | 'next' | 'lines' | 'data'>,
): ToolAnswer {
  const facts = { ...ceremonyJson(world, ceremony), user_code: null };
  return {
    lines: [...lines, nextText(next)],
    data: { status: 'pending', ...data, [member]: facts, next: nextJson(next) },
  };
}

function ceremonyJson(world: McpWorld, ceremony: Ceremony | SignInCeremony): JsonMembers {
  const isTyped = ceremony.kind === 'type_there';
  return {
    kind: ceremony.kind,
    user_code: isTyped ? codeText(world, ceremony.userCode.reveal()) : null,
    verification_uri: linkOf(world, ceremony),
    mailed_to: ceremony.kind === 'read_back' ? userText(world, ceremony.mailedTo) : null,
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
function linkOf({ mask }: McpWorld, { verificationUri }: Ceremony | SignInCeremony): string | null {
  if (verificationUri === null || verificationUri.length > LONGEST_LINK) return null;
  const { username, password } = new URL(verificationUri);
  if (username !== '' || password !== '') return null;
  const hidden = mask.hide(verificationUri);
  return hidden === verificationUri ? hidden : null;
}

/** Grouped; a code is a word of a stranger, too, and one word: spaces in it do not count (RFC 8628 §6.1). */
function codeText({ mask }: McpWorld, code: string): string {
  const shown = foreignLine(code, LONGEST_CODE, mask).replace(/[^\p{L}\p{N}-]/gu, '');
  return displayUserCode(shown);
}

function whatToSay(world: McpWorld, { ceremony, who }: HandOver): readonly string[] {
  const link = linkOf(world, ceremony);
  const span = `It is good for ${describeLeft(Math.max(0, ceremony.remaining))}.`;
  const warning =
    ceremony.openable || link === null
      ? []
      : [
          `Warning: that page is on ${new URL(link).host}, which is not the origin of the service or provider. Say so to the user, who decides whether to trust it.`,
        ];
  if (ceremony.kind === 'read_back' && ceremony.verificationUri === null) {
    const to = ceremony.mailedTo === null ? '' : ` to ${userText(world, ceremony.mailedTo)}`;
    return [`A code was mailed${to}. Ask ${who} for it, and hand it in. ${span}`];
  }
  if (link === null) {
    return [
      'The link that came with it cannot be shown: it is too long, holds a secret, or begins with a user name. Tell the user, who cannot go on with it: this is a fault of the service.',
    ];
  }
  if (ceremony.kind === 'type_there') {
    return [
      `Show ${who} this link and this code now, as they are:`,
      `  Link: ${link}`,
      `  Code: ${codeText(world, ceremony.userCode.reveal())}`,
      `They sign in on that page and type the code there. ${span} Do not open the page yourself, and do not ask for a password.`,
      ...warning,
    ];
  }
  if (ceremony.kind === 'page') {
    return [
      `Show ${who} this link now, as it is:`,
      `  Link: ${link}`,
      `They sign in on that page, in a browser on this machine: its answer comes back here. ${span} Do not open the page yourself, and do not ask for a password.`,
      ...warning,
    ];
  }
  return [
    `Show ${who} this link now, as it is:`,
    `  Link: ${link}`,
    `After signing in and confirming, that page shows a code. Ask the user for it, and hand it in. ${span}`,
    ...warning,
  ];
}

/** Only a page on the origin of its service or provider may be offered. */
function pageOf(
  world: McpWorld,
  { ceremony, why }: HandOver,
  shown: PageOffer['shown'],
): PageOffer | undefined {
  const url = linkOf(world, ceremony);
  if (url === null || !ceremony.openable) return undefined;
  const what =
    ceremony.kind === 'type_there'
      ? `Type this code there: ${codeText(world, ceremony.userCode.reveal())}`
      : ceremony.kind === 'page'
        ? 'Sign in there, in a browser on this machine.'
        : 'After you have confirmed, the page shows a code. Tell it to your agent.';
  return { url, message: `Open ${new URL(url).host} ${why}. ${what}`, shown };
}
