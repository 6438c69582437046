import {
  type Exchange,
  type ExchangePage,
  exchangeJson,
  noteText,
  readExchange,
  transcript,
} from '../../exchanges/index.ts';
import { isJsonObject } from '../../protocol/json.ts';
import { displayJson, displayText } from '../../protocol/text.ts';
import type { Context } from '../shell/context.ts';
import type { Outcome } from '../shell/exit-codes.ts';
import type { Rendering } from '../shell/output.ts';
import { checkWritable, writeText } from '../shell/write-text.ts';
import { table } from '../terminal/table.ts';
import { isoTime } from '../terminal/time.ts';
import { callControl } from './controls/call-control.ts';
import { type ControlTarget, findMocks, type Part } from './controls/find-mocks.ts';

export interface MockExchangesOptions {
  readonly since?: number;
  readonly transcript?: string;
}

/** So many long ones fit into what is read of one answer. */
const PAGE = 16;

/** The requests that the running mocks saw, and their answers, oldest first. */
export async function mockExchanges(
  context: Context,
  part: Part | undefined,
  { since = 0, transcript: file }: MockExchangesOptions,
): Promise<Outcome> {
  if (file !== undefined) checkWritable(file);
  const seen: Exchange[] = [];
  let dropped = 0;
  for (const target of await findMocks(context, part && [part])) {
    const page = await readAll(context, target, since);
    // Both mocks of one process may write to one log: the second has nothing new then.
    const isNew = ({ seq, to }: Exchange) =>
      !seen.some((known) => known.seq === seq && known.to === to);
    const added = page.exchanges.filter(isNew);
    if (added.length > 0 || seen.length === 0) dropped += page.dropped;
    const merged = merge(seen, added);
    seen.splice(0, seen.length, ...merged);
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
  context.output.result(presentExchanges(exchanges, dropped, file));
  return 'done';
}

async function readAll(
  context: Context,
  target: ControlTarget,
  since: number,
): Promise<Pick<ExchangePage, 'exchanges' | 'dropped'>> {
  const exchanges: Exchange[] = [];
  let dropped = 0;
  for (let after = since; ; ) {
    const body = await callControl(context, target, `/exchanges?since=${after}&limit=${PAGE}`);
    const list = Array.isArray(body['exchanges']) ? body['exchanges'] : [];
    const page = list.filter(isJsonObject).map(readExchange);
    exchanges.push(...page);
    dropped += Number(body['dropped']);
    after = page.at(-1)?.seq ?? after;
    if (page.length < PAGE) return { exchanges, dropped };
  }
}

/** By time where two logs are read; in each the order is its own. */
function merge(first: readonly Exchange[], second: readonly Exchange[]): readonly Exchange[] {
  const rest = [...second];
  const merged = first.flatMap((exchange) => {
    const until = rest.findIndex(({ at }) => at > exchange.at);
    return [...rest.splice(0, until === -1 ? rest.length : until), exchange];
  });
  return [...merged, ...rest];
}

function presentExchanges(
  exchanges: readonly Exchange[],
  dropped: number,
  file: string | undefined,
): Rendering {
  return {
    schema: 'mockExchanges',
    wraps: true,
    json: () => ({
      exchanges: exchanges.map(exchangeJson),
      dropped,
      transcript: file ?? null,
    }),
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
            status === null ? style.red('–') : statusText(status),
            method,
            style.dim(`${duration} ms`),
            // Untrusted text, and the longest: last, it widens no other row.
            displayText(path, 120),
          ],
          ...notes.map((note) => ['', '', '', '', '', '', style.dim(noteText(note))]),
        ]),
      );
      function statusText(status: number): string {
        const paint = status < 300 ? style.green : status < 400 ? style.cyan : style.yellow;
        return paint(String(status));
      }
    },
  };
}
