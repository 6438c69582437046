import type { TypeThereCeremony } from '../../agent/model.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { isJsonObject, type JsonObject } from '../../protocol/json.ts';
import { maskTokens } from '../../protocol/mask-tokens.ts';
import type { State } from '../../protocol/states.ts';
import { displayText } from '../../protocol/text.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import { type Explained, exchangeJson } from '../../traffic/index.ts';
import type { Output } from '../shell/output.ts';
import { detailLine, exchangeLines } from '../terminal/exchange-line.ts';
import type { Style } from '../terminal/style.ts';

/** An exchange, and where the registration of its flow stands after it. */
interface ToldExchange extends Explained {
  readonly registrationId: string | undefined;
  readonly state: State | undefined;
}

/** What the demo prints, in order. */
export type DemoTranscript = ReturnType<typeof printTranscript>;

/** Prints the demo on stdout: sentences and exchanges as text; with `--json` the exchanges alone, one a line. */
export function printTranscript(output: Output, width: number) {
  let title = '';
  let count = 0;
  /** Whether the last line was empty, so that the next part does not begin with another one. */
  let isApart = true;
  const text = (human: (style: Style) => string) => {
    if (!output.json) output.result({ schema: 'demoExchange', json: () => ({}), human });
  };
  const apart = (): string => (isApart ? '' : '\n');
  return {
    start: (service: string, provider: string) =>
      text((style) => introduction(style, service, provider)),
    flow: (name: string, subtitle: string) => {
      count += 1;
      title = name;
      text(({ bold, cyan, dim }) => `\n${bold(cyan(`${count}  ${name}`))}\n${dim(subtitle)}\n`);
      isApart = true;
    },
    /** Between two exchanges. */
    say: (sentence: string) => {
      text(({ magenta }) => `${apart()}  ${magenta('▸')} ${sentence}`);
      isApart = false;
    },
    ceremony: (ceremony: TypeThereCeremony) => {
      text((style) => `${apart()}${ceremonyText(style, ceremony)}\n`);
      isApart = true;
    },
    exchange: (exchange: ToldExchange) => {
      isApart = false;
      output.result({
        schema: 'demoExchange',
        json: () => toldJson(title, exchange),
        human: (style) => exchangeText(style, exchange, width),
      });
    },
  };
}

function introduction({ bold, dim }: Style, service: string, provider: string): string {
  return [
    bold('A real agent, a mock service and a mock provider, over HTTP on this machine.'),
    dim(`Service ${service}, provider ${provider}. Waits are skipped: the clock jumps ahead.`),
    dim('Each exchange: sender, request, status, state of the registration afterwards, meaning.'),
    dim('#abcdefgh is the fingerprint of a secret: equal fingerprints, equal secrets.'),
  ].join('\n');
}

/** The code and its page, as the claim screen shows them. The code is worthless once the demo has ended. */
function ceremonyText({ bold, cyan, dim }: Style, ceremony: TypeThereCeremony): string {
  const code = bold(cyan(displayUserCode(ceremony.userCode.reveal())));
  return [
    `      ${linkText(ceremony.verificationUri)}`,
    `      Code  ${code}  ${dim(`valid for ${describeDuration(ceremony.remaining)}`)}`,
  ].join('\n');
}

/** A link carries its token in the query or in the path. */
function linkText(link: string): string {
  return displayText(maskTokens(link.replace(/([?&][^=\s]+=)[^&\s]+/g, '$1…'), '…'));
}

function toldJson(title: string, told: ToldExchange) {
  const { exchange, from, meaning, registrationId, section, state, step } = told;
  return {
    act: title,
    ...exchangeJson(exchange),
    from,
    step,
    meaning,
    section,
    registration_id: registrationId ?? null,
    state: state ?? null,
  };
}

function exchangeText(style: Style, told: ToldExchange, width: number): string {
  const { exchange, from, meaning, state } = told;
  const { method, path, status } = exchange;
  const details = detailsText(told);
  return [
    ...exchangeLines(style, { method, path: shownText(path), status, from, meaning, state }, width),
    ...(details === '' ? [] : [detailLine(style.dim(details))]),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Fingerprints as people read them. */
function shownText(text: string): string {
  return displayText(text.replaceAll('secret~', '#'), 120);
}

/** The members that show how one exchange leads to the next, and what they are called here. */
const SENT = {
  type: 'type',
  login_hint: 'login_hint',
  email: 'email',
  audience: 'audience',
  claim_token: 'claim_token',
  assertion: 'assertion',
  subject_token: 'id_token',
  token: 'token',
  authorization: 'token',
} as const;
const RECEIVED = {
  identity_assertion: 'identity_assertion',
  claim_token: 'claim_token',
  access_token: 'token',
  id_token: 'id_token',
} as const;

function detailsText({ exchange, from }: ToldExchange): string {
  if (from === 'user') return '';
  const { request, response } = exchange;
  const [, token] = / (\S+)$/.exec(request.headers['authorization'] ?? '') ?? [];
  const sent = { ...membersOf(request.body), ...(token !== undefined && { authorization: token }) };
  const received = membersOf(response.body);
  return [pick(sent, SENT), pick(received, RECEIVED)].filter((text) => text !== '').join(' → ');
}

function membersOf(body: unknown): JsonObject {
  return isJsonObject(body) ? body : {};
}

function pick(members: JsonObject, names: Readonly<Record<string, string>>): string {
  return Object.entries(names)
    .flatMap(([name, label]) => {
      const value = members[name];
      const text = isJsonObject(value) ? value['jwt'] : value;
      return typeof text === 'string' ? [`${label} ${shownText(text)}`] : [];
    })
    .join(', ');
}
