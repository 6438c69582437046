import type { JsonObject } from '../../../protocol/json.ts';
import { displayJson, displayText } from '../../../protocol/text.ts';
import {
  type Exchange,
  exchangeJson,
  noteText,
  readExchange,
  transcript,
} from '../../../traffic/index.ts';
import type { Context } from '../../shell/context.ts';
import type { Outcome } from '../../shell/exit-codes.ts';
import type { Rendering } from '../../shell/output.ts';
import { checkWritable, writeText } from '../../shell/write-text.ts';
import { statusText } from '../../terminal/exchange-line.ts';
import { facts, table } from '../../terminal/table.ts';
import { isoTime } from '../../terminal/time.ts';
import type { ExchangesOptions } from '../control-options.ts';
import {
  type ControlTarget,
  callControl,
  control,
  findMock,
  findMocks,
  listed,
  listedBy,
  type Part,
} from './control.ts';

interface Mail extends JsonObject {
  readonly sent_at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What the running mock service sent by mail, newest first. */
export const mockMails = control(
  'service',
  ({ to }: { readonly to?: string }) => [
    to === undefined ? '/mails' : `/mails?to=${encodeURIComponent(to)}`,
  ],
  (service, { mails }: { readonly mails: readonly Mail[] }) => ({
    schema: 'mockMails',
    json: () => ({ service, mails: mails as readonly JsonObject[] }),
    human: (style) => {
      if (mails.length === 0) return `The service at ${service} has sent no mail.`;
      const shown = mails.map(({ sent_at: sent, subject, text, to }) => [
        style.bold(displayText(subject, 200)),
        facts(style, [
          ['to', displayText(to, 200)],
          ['sent', displayText(sent, 40)],
        ]),
        ...text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => `  ${displayText(line, 300)}`),
      ]);
      return shown.map((lines) => lines.join('\n')).join('\n\n');
    },
  }),
);

/** An event of the mock provider's outbox. */
interface OutboxEvent extends JsonObject {
  readonly state: string;
  /** The code, and what the provider or the service says of it. */
  readonly problem: { readonly code: string; readonly text: string | null } | null;
}

/** The revocation events of the running mock provider, sent or pending; one can be sent again. */
export async function mockOutbox(
  context: Context,
  { send }: { readonly send?: string },
): Promise<Outcome> {
  const target = await findMock(context, 'provider');
  const { issuer } = target;
  if (send === undefined) {
    type Outbox = { readonly events: readonly OutboxEvent[] };
    const { events } = await callControl<Outbox>(context, target, '/outbox');
    return context.output.result(presentOutbox(issuer, events));
  }
  const path = `/outbox/${encodeURIComponent(send)}/send`;
  const sent = await callControl<OutboxEvent>(context, target, path, {}).catch(
    listedBy(context, 'mock outbox'),
  );
  context.output.result(presentOutbox(issuer, [sent]));
  return sent.state === 'parked' ? 'failed' : 'done';
}

function presentOutbox(provider: string, events: readonly OutboxEvent[]): Rendering {
  return {
    schema: 'mockOutbox',
    wraps: true,
    json: () => ({ provider, events: events as readonly JsonObject[] }),
    human: (style, columns) =>
      events.length === 0
        ? `The provider at ${provider} has no events.`
        : listed(
            style,
            columns,
            ['event', 'service', 'revoked', 'state', 'tries', 'problem'],
            events.map(({ attempts, audience, id, problem, revoked_at: revoked, state }) => {
              const why = problem && [problem.code, problem.text].filter(Boolean).join(': ');
              return [id, audience, revoked, state, attempts, why];
            }),
          ),
  };
}

/** What a page of a log is asked for by, and what each entry of it has. */
interface Numbered {
  readonly seq: number;
  readonly at: string | number;
}

/** All entries of a log after one of them, page by page. @param path ends with the name of what asks for later ones. */
async function readLog<Entry extends Numbered, Page>(
  context: Context,
  target: ControlTarget,
  { after: first, path, size }: { after: number; path: string; size: number },
  entriesOf: (page: Page) => readonly Entry[],
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (let after = first; ; ) {
    const asked = `${path}=${after}&limit=${size}`;
    const page = entriesOf(await callControl<Page>(context, target, asked));
    entries.push(...page);
    after = page.at(-1)?.seq ?? after;
    if (page.length < size) return entries;
  }
}

/** Merges two logs by time. Within a log its own order stays: its clock may have been set back. */
function merge<Entry extends Numbered>(
  first: readonly Entry[],
  second: readonly Entry[],
): readonly Entry[] {
  const rest = [...second];
  const merged = first.flatMap((entry) => {
    const until = rest.findIndex(({ at }) => at > entry.at);
    return [...rest.splice(0, until === -1 ? rest.length : until), entry];
  });
  return [...merged, ...rest];
}

interface AuditEntry extends Numbered {
  /** RFC 3339. */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly registration_id: string | null;
  readonly detail: JsonObject;
}

/** The most that the controls return at once. */
const AUDIT_PAGE = 1_000;

/** Every change of state at the running mocks, oldest first. */
export async function mockAudit(context: Context): Promise<Outcome> {
  let entries: readonly (AuditEntry & { readonly mock: Part })[] = [];
  for (const target of await findMocks(context)) {
    const log = { after: 0, path: '/audit?after', size: AUDIT_PAGE };
    type Page = { readonly entries: readonly AuditEntry[] };
    const read = await readLog(context, target, log, (page: Page) => page.entries);
    entries = merge(
      entries,
      read.map((entry) => ({ mock: target.part, ...entry })),
    );
  }
  return context.output.result({
    schema: 'mockAudit',
    wraps: true,
    json: () => ({ entries }),
    human: (style) => {
      if (entries.length === 0) return 'No changes yet.';
      const shown = (value: unknown) => displayText(String(value), 120);
      return table(
        entries.map(({ action, actor, at, detail, mock, registration_id: id }) => [
          style.dim(at),
          mock,
          action,
          `by ${shown(actor)}`,
          [id, ...Object.entries(detail).map(([name, value]) => `${name}=${shown(value)}`)]
            .filter(Boolean)
            .join('  '),
        ]),
      );
    },
  });
}

/** How many long exchanges fit into what is read of one answer. */
const EXCHANGES_PAGE = 16;

/** The requests that the running mocks saw, and their answers, oldest first. */
export async function mockExchanges(
  context: Context,
  part: Part | undefined,
  { since = 0, transcript: file }: ExchangesOptions,
): Promise<Outcome> {
  if (file !== undefined) checkWritable(file);
  let seen: readonly Exchange[] = [];
  let dropped = 0;
  for (const target of await findMocks(context, part && [part])) {
    let droppedHere = 0;
    const log = { after: since, path: '/exchanges?since', size: EXCHANGES_PAGE };
    type Page = { readonly exchanges: readonly JsonObject[]; readonly dropped: number };
    const read = await readLog(context, target, log, (page: Page) => {
      droppedHere += page.dropped;
      return page.exchanges.map(readExchange);
    });
    // Both mocks of one process may write to one log: the second has nothing new then.
    const added = read.filter(
      ({ seq, to }) => !seen.some((known) => known.seq === seq && known.to === to),
    );
    if (added.length > 0 || seen.length === 0) dropped += droppedHere;
    seen = merge(seen, added);
  }
  const exchanges = seen.filter(({ to }) => part === undefined || to === part);
  if (dropped > 0) {
    context.output.warn(
      `Earlier exchanges are no longer kept: ${dropped}. To keep more, start the mock with a higher --exchanges.`,
    );
  }
  if (file !== undefined) {
    writeText(file, `${displayJson(JSON.stringify(transcript(exchanges), null, 2))}\n`);
  }
  return context.output.result({
    schema: 'mockExchanges',
    wraps: true,
    json: () => ({ exchanges: exchanges.map(exchangeJson), dropped, transcript: file ?? null }),
    human: (style) => {
      if (file !== undefined) {
        return `The transcript is in ${displayText(file, 300)}. Exchanges: ${exchanges.length}.`;
      }
      if (exchanges.length === 0) return 'No requests yet.';
      return table(
        exchanges.flatMap(({ at, duration, method, notes = [], path, seq, status, to }) => [
          [
            style.dim(String(seq)),
            style.dim(isoTime(at)),
            to,
            statusText(style, status),
            method,
            style.dim(`${duration} ms`),
            // Untrusted text, and the longest: last, it widens no other row.
            displayText(path, 120),
          ],
          ...notes.map((note) => ['', '', '', '', '', '', style.dim(noteText(note))]),
        ]),
      );
    },
  });
}
