import { type Recognition, recognise } from '../../discovery/index.ts';
import { displayText, mediaTypeOf, printableUrl, withoutFinalSlash } from '../../protocol/index.ts';
import { AgentError, type AgentErrorCode } from '../agent-error.ts';
import { Peer, type TextAnswer } from '../http/peer.ts';
import type { Step } from '../next-step.ts';
import type { DiscoverTarget } from '../requests.ts';
import type { Tools } from '../tools.ts';
import type { Hops } from './hops.ts';

/**
 * The same failure with what the documents amount to, and with the step that goes on: what a site publishes
 * beside its metadata, or in its place, is looked for once.
 */
export async function explainFailure(
  tools: Tools,
  target: DiscoverTarget,
  hops: Hops,
  error: AgentError,
): Promise<AgentError> {
  const told = withRecognition(tools, hops, error);
  if ('issuer' in target || error.code === 'bad_address') return told;
  const given = 'resource' in target ? target.resource : target.address;
  const step = stepFor(told, printableUrl(given));
  const found = step === undefined ? told : told.with({ next: step });
  if (!mayHaveSkill(found, hops)) return found;
  const skill = await probeSkill(tools, given, hops);
  if (skill === undefined) return withoutDocuments(found, target, hops);
  hops.read.skill = skill;
  return withSkill(found, skill, recognised(tools, hops), printableUrl(given));
}

/** What goes on from a verdict; `undefined` where the error itself says what does. */
function stepFor({ code, recognition }: AgentError, given: string): Step | undefined {
  const [choice] = recognition?.choices ?? [];
  if (code === 'dialect_missing' && choice !== undefined) {
    return { command: 'discover', args: [given, '--dialect', choice.family] };
  }
  if (!NO_REGISTRATION.includes(code) || recognition === undefined) return undefined;
  if (recognition.endpoints.skill !== undefined) return { command: 'skill', args: [given] };
  if (code !== 'no_agent_auth') return { command: 'lint', args: [given] };
  if (recognition.role === 'client') return { command: 'lint', args: [given] };
  if (recognition.role === 'provider') return { command: 'provider login', args: [given] };
  if (recognition.role !== 'cross_app') return undefined;
  const client = ['--client-id', 'ID', '--client-secret', '@FILE', '--provider', 'URL'];
  return { command: 'connect', args: [given, ...client] };
}

/** The documents were read, and agents cannot register by them. */
const NO_REGISTRATION: readonly AgentErrorCode[] = [
  'no_registration',
  'client_registration',
  'no_agent_auth',
];

/**
 * Whether a skill file may help: nothing was found, or nothing that names one. A server that is out of order is not
 * asked more.
 */
function mayHaveSkill({ code, recognition }: AgentError, { read }: Hops): boolean {
  if (recognition?.endpoints.skill !== undefined || recognition?.role === 'client') return false;
  if (NO_REGISTRATION.includes(code) || code === 'metadata_not_found') return true;
  return code === 'bad_answer' && read.resource === undefined;
}

/** Where no document was found at all, whoever builds the service has to hear what to publish. */
function withoutDocuments(error: AgentError, target: DiscoverTarget, { read }: Hops): AgentError {
  if (!('address' in target) || (read.server ?? read.resource) !== undefined) return error;
  const given = printableUrl(target.address);
  const next: Step = { command: 'lint', args: [given] };
  if (error.code !== 'metadata_not_found') return error.with({ next });
  return new AgentError(`Nothing for agents is published at ${displayText(given, 100)} yet.`, {
    code: error.code,
    hint: 'Check the URL. If you build this service: docs/make-a-service-agent-ready.md says what to publish.',
    next,
    hops: error.hops,
    cause: error,
  });
}

function withSkill(
  error: AgentError,
  { url }: LooseSkill,
  recognition: Recognition,
  given: string,
): AgentError {
  const metadata = recognition.hints.find(({ kind }) => kind === 'metadata');
  const also = metadata === undefined ? '' : ` It mentions ${metadata.url}.`;
  const isAlone = recognition.foundIn === undefined && recognition.verdict === 'published_only';
  return new AgentError(
    isAlone
      ? `${displayText(given, 100)} publishes a skill file alone: no metadata says where agents register.`
      : error.message,
    {
      code: isAlone ? 'no_registration' : error.code,
      hint: `It has a skill file, which no metadata confirms: ${url}.${also}`,
      next: { command: 'skill', args: [given] },
      hops: error.hops,
      recognition,
      cause: error,
    },
  );
}

function withRecognition(tools: Tools, hops: Hops, error: AgentError): AgentError {
  const { client, server, resource } = hops.read;
  const isRead = (server ?? resource ?? client) !== undefined;
  if (error.recognition !== undefined || !isRead) return error;
  return error.with({ recognition: recognised(tools, hops) });
}

function recognised({ dialect }: Tools, { read: documents }: Hops): Recognition {
  const { client, skill, at = skill?.url, ...others } = documents;
  return recognise({
    ...{ ...others, client: client?.json, skill: skill?.text, at, family: dialect },
  });
}

/** Far more than instructions need, in bytes. */
export const SKILL_LIMIT = 256 * 1024;

/** What a skill file is asked for with: never with credentials. */
export const SKILL_HEADERS = { accept: 'text/markdown, text/plain;q=0.9' } as const;

/** What is learnt where there is one. */
export const SKILL_FOUND = 'a skill file, which no metadata names';

/** A skill file that no metadata names, at one of the usual places. */
interface LooseSkill {
  readonly url: string;
  readonly text: string;
}

/**
 * Looks for `auth.md` where nothing else was found: at the URL itself when it is that of a Markdown file, else
 * below it and at the root of its host. Pages are none: an application of one page answers everything.
 */
async function probeSkill(
  { context, signal }: Tools,
  given: string,
  hops: Hops,
): Promise<LooseSkill | undefined> {
  const peer = new Peer(context);
  for (const url of places(given)) {
    let answer: TextAnswer;
    try {
      answer = await peer.readText(url, { headers: SKILL_HEADERS }, SKILL_LIMIT, signal);
    } catch (error) {
      if (!(error instanceof AgentError) || error.code === 'aborted') throw error;
      hops.hop('skill_file', url, null, 'no answer');
      return undefined;
    }
    const text = textOf(answer);
    hops.hop('skill_file', url, answer.status, text === undefined ? 'no skill file' : SKILL_FOUND);
    if (text !== undefined) return { url: displayText(url, 500), text };
  }
  return undefined;
}

function places(given: string): readonly string[] {
  const { origin, pathname } = new URL(given);
  if (pathname.endsWith('.md')) return [origin + pathname];
  return [...new Set([`${origin}${withoutFinalSlash(pathname)}/auth.md`, `${origin}/auth.md`])];
}

function textOf({ status, headers, body }: TextAnswer): string | undefined {
  if (status !== 200 || !body.ok) return undefined;
  const mediaType = mediaTypeOf({ headers });
  if (!/^text\/[a-z0-9.+-]+$/.test(mediaType) || mediaType === 'text/html') return undefined;
  return /^\s*(<!doctype|<html|\{)/i.test(body.text) || body.text.trim() === ''
    ? undefined
    : body.text;
}
