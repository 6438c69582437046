import {
  AGENT_MOVES,
  type AgentMove,
  type Surface,
  WIRE_CODES,
  type WireCode,
} from '../../protocol/codes.ts';

/** What an agent may be refused with, where, and what it then does. */
export interface ErrorRow {
  readonly code: string;
  readonly place: Surface;
  readonly status: number;
  readonly move: AgentMove;
}

/** Every error of these places, as the list of wire codes has it. */
export function errorRows(places: readonly Surface[]): readonly ErrorRow[] {
  return places.flatMap((place) => {
    const codes: Readonly<Record<string, WireCode>> = WIRE_CODES[place];
    return Object.entries(codes).map(([code, { next, status }]) => ({
      ...{ code, place, status },
      move: next,
    }));
  });
}

/**
 * What an agent does about each error: a line for each thing to do. Where a code means two things, its place is
 * named.
 * @param moves what is to be done, where the dialect has it otherwise.
 */
export function errorTable(
  rows: readonly ErrorRow[],
  moves: Readonly<Partial<Record<AgentMove, string>>> = {},
): string {
  const named = ({ code, move, place, status }: ErrorRow) => {
    const isAmbiguous = rows.some((row) => row.code === code && row.move !== move);
    return `${status} \`${code}\`${isAmbiguous ? ` (${place})` : ''}`;
  };
  const lines = [...new Set(rows.map(({ move }) => move))].map((move) => {
    const codes = new Set(rows.filter((row) => row.move === move).map(named));
    return `| ${moves[move] ?? AGENT_MOVES[move]} | ${[...codes].join(', ')} |`;
  });
  return ['| what to do | after |', '|---|---|', ...lines].join('\n');
}

/** The codes after which registering again is the way on. */
export function endedCodes(rows: readonly ErrorRow[]): readonly string[] {
  return [...new Set(rows.filter(({ move }) => move === 'register').map(({ code }) => code))];
}
