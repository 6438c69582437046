import type { TypeThereCeremony } from '../../agent/model.ts';
import { describeDuration } from '../../protocol/durations.ts';
import { displayUserCode } from '../../protocol/user-code.ts';
import type { JsonData, Output } from '../shell/output.ts';
import { detailLine, exchangeLines } from '../terminal/exchange-line.ts';
import type { Style } from '../terminal/style.ts';
import { isoTime } from '../terminal/time.ts';
import type { Exchange } from './exchanges/exchange.ts';
import { type Shown, showText } from './exchanges/show-members.ts';
import type { DemoTranscript } from './harness.ts';

/** Prints the demo on stdout: sentences and exchanges as text; with `--json` the exchanges alone, one a line. */
export function printTranscript(output: Output, width: number): DemoTranscript {
  let title = '';
  let count = 0;
  /** Whether the last line was empty, so that the next part does not begin with another one. */
  let isApart = true;
  const text = (human: (style: Style) => string) => {
    if (!output.json) output.result({ schema: 'demoExchange', json: () => ({}), human });
  };
  const apart = (): string => (isApart ? '' : '\n');
  return {
    start: (service, provider) => text((style) => introduction(style, service, provider)),
    flow: (name, subtitle) => {
      count += 1;
      title = name;
      text(({ bold, cyan, dim }) => `\n${bold(cyan(`${count}  ${name}`))}\n${dim(subtitle)}\n`);
      isApart = true;
    },
    say: (sentence) => {
      text(({ magenta }) => `${apart()}  ${magenta('▸')} ${sentence}`);
      isApart = false;
    },
    ceremony: (ceremony) => {
      text((style) => `${apart()}${ceremonyText(style, ceremony)}\n`);
      isApart = true;
    },
    exchange: (exchange) => {
      isApart = false;
      output.result({
        schema: 'demoExchange',
        json: () => exchangeJson(title, exchange),
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

/** As the claim screen shows it. The code is worthless once the demo has ended. */
function ceremonyText({ bold, cyan, dim }: Style, ceremony: TypeThereCeremony): string {
  const code = bold(cyan(displayUserCode(ceremony.userCode.reveal())));
  return [
    `      ${showText(ceremony.verificationUri)}`,
    `      Code  ${code}  ${dim(`valid for ${describeDuration(ceremony.remaining)}`)}`,
  ].join('\n');
}

function exchangeJson(title: string, exchange: Exchange): JsonData {
  const { actor, receiver, method, url, path, request, status, response, meaning } = exchange;
  return {
    act: title,
    at: isoTime(exchange.at),
    from: actor,
    to: receiver,
    method,
    url,
    path,
    request,
    status,
    response,
    meaning,
    registration_id: exchange.registrationId ?? null,
    state: exchange.state ?? null,
  };
}

function exchangeText(style: Style, exchange: Exchange, width: number): string {
  const details = detailsText(exchange);
  return [
    ...exchangeLines(style, { ...exchange, from: exchange.actor }, width),
    ...(details === '' ? [] : [detailLine(style.dim(details))]),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
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

function detailsText({ actor, sent, received }: Exchange): string {
  if (actor === 'user') return '';
  return [pick(sent, SENT), pick(received, RECEIVED)].filter((text) => text !== '').join(' → ');
}

function pick(shown: Shown, names: Readonly<Record<string, string>>): string {
  return Object.entries(names)
    .flatMap(([name, label]) => (shown[name] === undefined ? [] : [`${label} ${shown[name]}`]))
    .join(', ');
}
