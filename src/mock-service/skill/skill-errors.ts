import { AGENT_MOVES, type AgentMove, WIRE_CODES, type WireCode } from '../../protocol/index.ts';

const PLACES = ['identity', 'claim', 'token', 'revocation', 'resource'] as const;

interface ErrorRow {
  readonly code: string;
  readonly place: string;
  readonly status: number;
  readonly move: AgentMove;
}

const ROWS: readonly ErrorRow[] = PLACES.flatMap((place) => {
  const codes: Readonly<Record<string, WireCode>> = WIRE_CODES[place];
  return Object.entries(codes).map(([code, { next, status }]) => ({
    ...{ code, place, status },
    move: next,
  }));
});

/** What an agent does about each error: a line for each thing to do. Where a code means two things, its place is named. */
export function errorTable(): string {
  const moves = [...new Set(ROWS.map(({ move }) => move))];
  const lines = moves.map((move) => {
    const codes = new Set(ROWS.filter((row) => row.move === move).map(named));
    return `| ${AGENT_MOVES[move]} | ${[...codes].join(', ')} |`;
  });
  return ['| what to do | after |', '|---|---|', ...lines].join('\n');
}

/** The codes after which registering again is the way on. */
export function endedCodes(): readonly string[] {
  return [...new Set(ROWS.filter(({ move }) => move === 'register').map(({ code }) => code))];
}

function named({ code, move, place, status }: ErrorRow): string {
  const isAmbiguous = ROWS.some((row) => row.code === code && row.move !== move);
  return `${status} \`${code}\`${isAmbiguous ? ` (${place})` : ''}`;
}
