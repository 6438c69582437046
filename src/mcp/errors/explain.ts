import { stepAfter } from '../../agent/agent-codes.ts';
import { NETWORK_HINTS } from '../../agent/http/network-hints.ts';
import { AgentError, type AgentErrorCode, type Problem } from '../../agent/index.ts';
import { AFTER_DENIAL } from '../../agent/records/registration-state.ts';
import { displayText } from '../../protocol/index.ts';
import { isLastingFailure, NetworkError, type NetworkErrorCode } from '../../runtime/index.ts';
import {
  type JsonMembers,
  type Next,
  nextTool,
  type Quote,
  ToolError,
  userCommand,
} from '../answer/answer.ts';
import { foreignLine, hopsJson } from '../answer/foreign-text.ts';
import type { ToolCall } from '../tool.ts';
import type { McpWorld } from '../world/mcp-world.ts';
import { RESPECT_DENIAL } from './access-ended.ts';
import { fromStep } from './next-step.ts';

type About = ToolCall['about'];

/** Explains any error by what to do next. */
export function explain(error: unknown, world: McpWorld, about: About): ToolError {
  // One of ours may have led to another: a request that was not sent.
  const ours = causesOf(error).find((cause) => cause instanceof ToolError);
  if (ours !== undefined) return ours;
  if (error instanceof AgentError) return explainAgent(error, world, about);
  const next = userCommand(world.program, doctor(about));
  if (error instanceof NetworkError) {
    const hints: Partial<Readonly<Record<NetworkErrorCode, string>>> = NETWORK_HINTS;
    return new ToolError(displayText(error.message), {
      code: `network_${error.code}`,
      hint:
        inArguments(hints[error.code]) ??
        'Ask the user whether the server is running, and try again later.',
      retryable: !isLastingFailure(error.code),
      next,
    });
  }
  const text = displayText(error instanceof Error ? error.message : String(error));
  return new ToolError(`Unexpected error: ${text}`, {
    code: 'unexpected',
    hint: 'This is a bug in agent-auth, or an error that it should explain better.',
    next,
  });
}

/** The error and what led to it. */
function causesOf(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function explainAgent(error: AgentError, world: McpWorld, about: About): ToolError {
  const { code, problem, hops } = error;
  return new ToolError(ownWords(error, world), {
    code,
    hint: HINTS[code] ?? inArguments(error.hint),
    next: nextAfter(error, world, about),
    retryable: error.retryable,
    details: {
      untrusted_answer: problem && answerJson(problem, world),
      untrusted_hops: hops && hopsJson(hops, world.mask),
    },
    quotes: quotesOf(error, world, about),
  });
}

/** Where the program's hint names a line or an option of it. */
const HINTS: Partial<Readonly<Record<AgentErrorCode, string>>> = {
  registered_not_understood:
    'Do not register again, unless the user wants another registration: register with new. get_status shows what is kept; the user may remove it in a terminal: agent-auth forget, and its id.',
  registration_unknown: 'get_status lists the registrations.',
  registration_ambiguous: 'Give more of the registration_id; get_status lists the registrations.',
};

/** Options of the program that a tool has as an argument. */
const ARGUMENTS = /--(provider|service|email|type|code|new|renew|fresh)\b/g;

/** The options that only the configuration of the host can have: this server takes them at its start. */
const AT_START = /--(?:ca|strict|dialect|member|agent-name|allow-origin)\b/;

/** A hint of the program as one for a model, which types no options. */
function inArguments(hint: string | undefined): string | undefined {
  if (hint === AFTER_DENIAL.hint) return RESPECT_DENIAL;
  const own = hint?.replace(ARGUMENTS, 'the argument $1');
  if (own === undefined || !AT_START.test(own)) return own;
  return `${own} The user may change the arguments of this server in the configuration of the host.`;
}

/** What follows in a message are a peer's words. */
const SAYS = / It says: "(.*)"\./s;

/** What follows in a message are scopes, as a service made them up. */
const OFFERED = / It (?:offers|can get): (.*)\.$/s;

/** The message without the words of a peer, which follow elsewhere, marked as a stranger's. */
function ownWords({ code, message }: AgentError, { sentences }: McpWorld): string {
  // The program's begins with the name that a service gives itself.
  if (code === 'no_skill') return 'The service names no skill file.';
  let own = message.replace(SAYS, '');
  if (code === 'scope_not_offered') own = own.replace(OFFERED, '');
  if (code === 'answer_missing') own = own.replace(', and there is no user to ask', '');
  for (const id of sentences) own = own.replaceAll(id, id.replace(/\s+/gu, '_'));
  return displayText(own, 600);
}

function answerJson(problem: Problem, { mask }: McpWorld): JsonMembers {
  const { status, sent, description, retryAfter, attemptsRemaining, scope } = problem;
  return {
    status,
    error: sent === undefined ? null : foreignLine(sent, 100, mask),
    description: description === undefined ? null : foreignLine(description, 300, mask),
    retry_after_seconds: retryAfter && Math.ceil(retryAfter / 1000),
    attempts_remaining: attemptsRemaining,
    scope: scope?.slice(0, 50).map((one) => foreignLine(one, 100, mask)),
  };
}

/** What a peer says of it. */
function quotesOf(
  { code, message, problem }: AgentError,
  { mask }: McpWorld,
  { service }: About,
): readonly Quote[] {
  const quote = (what: string, from: string, words: string | undefined, limit: number) =>
    words ? [{ what, from: service ?? from, text: foreignLine(words, limit, mask) }] : [];
  const says =
    problem === undefined ? [SAYS.exec(message)?.[1]] : [problem.sent, problem.description];
  const said = says.filter((text) => text !== undefined);
  const [, offered] = code === 'scope_not_offered' ? (OFFERED.exec(message) ?? []) : [];
  return [
    ...quote('The reason that the answer gives', 'the peer', said.join(': '), 400),
    ...quote('Scopes that there are', 'the service', offered, 1000),
  ];
}

/** What goes on after an error that names no step itself; the same table as the program's, in tools. */
function nextAfter(error: AgentError, { program }: McpWorld, about: About): Next | undefined {
  const { service } = about;
  const { code, problem, next } = error;
  if (next !== undefined) return fromStep(next, { service, program });
  // Of the environment's token no tool is a way on: whoever registers would register twice.
  if (code === 'foreign_origin' || code === 'token_refused') return undefined;
  if (code === 'bad_code') return nextTool('complete_claim', { service }, ['code']);
  const step = stepAfter(code);
  // What a peer says will pass needs no doctor.
  const passes = problem !== undefined && error.retryable;
  if (step?.command === 'doctor' && passes) return undefined;
  if (step !== undefined) return fromStep(step, { service, program });
  return problem === undefined || passes ? undefined : userCommand(program, doctor(about));
}

function doctor({ service }: About): readonly string[] {
  return service === undefined ? ['doctor'] : ['doctor', service];
}
